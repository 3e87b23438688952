// Numbers and times as people read them.
import {languageNow, say} from "./words.js";

const whole = {};
const compact = {};

function locale() {
  return languageNow() === "zh" ? "zh-CN" : "en";
}

export function count(number) {
  if (number === null || number === undefined) return say("none");
  whole[locale()] ??= new Intl.NumberFormat(locale(), {maximumFractionDigits: 0});
  return whole[locale()].format(number);
}

/** For an axis, where there is little room. */
export function short(number) {
  compact[locale()] ??= new Intl.NumberFormat(locale(), {notation: "compact", maximumSignificantDigits: 3});
  return compact[locale()].format(number);
}

export function rate(number) {
  if (number === null || number === undefined) return say("none");
  return number > 0 && number < 10 ? number.toFixed(1) : count(number);
}

/** Seconds of a second. */
export function share(seconds) {
  return `${(100 * seconds).toFixed(seconds < 0.1 ? 1 : 0)} %`;
}

export function milliseconds(seconds) {
  if (seconds === null || seconds === undefined) return say("none");
  return seconds < 1 ? `${(1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(1)} s`;
}

/** As `fensi status` says it: 0.4 s, 1 m 15 s, 2 h 3 m. */
export function age(seconds) {
  if (seconds === null || seconds === undefined) return say("not_known");
  if (seconds < 0.05) return "0 s";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const s = Math.floor(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} m ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} m`;
  return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
}

export function bytes(number) {
  if (number < 1024) return `${number} B`;
  if (number < 1 << 20) return `${(number / 1024).toFixed(1)} KiB`;
  return `${(number / (1 << 20)).toFixed(1)} MiB`;
}

const two = (number) => String(number).padStart(2, "0");

/** Of the place where the browser is. */
export function clock(seconds) {
  const date = new Date(seconds * 1000);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export function day(seconds) {
  const date = new Date(seconds * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(seconds)}`;
}
