// Asks the daemon for its status each second and shows it; a wish of a person (pause, resume) goes back to it.
import {Charts, MOST_LINES} from "./charts.js";
import {History, lagOf, openDeadLettersOf, samplesOf} from "./model.js";
import {LiveTable, make, write} from "./table.js";
import {age, bytes, clock, count, day, milliseconds, rate, share, short} from "./text.js";
import {languageNow, say, switchLanguage} from "./words.js";

const ASK_MS = 1000;
const ASK_HIDDEN_MS = 15000;
const ASK_GONE_MS = 3000;
const TIMEOUT_MS = 5000;
const WISH_TIMEOUT_MS = 20000;

const at = (id) => document.getElementById(id);
const MOST_PARTITIONS = 1000;  // rows below an index
const history = new History();
let status = null;      // the last answer
let answered = 0;       // when it came, in seconds
let goneWhy = "";       // empty: the daemon answers
let token = "";         // in this page only
let tokenWanted = false;
let timer = 0;
let asking = false;
let remembered = false;  // what the daemon knows of the time before

const nowSeconds = () => Date.now() / 1000;

function headers() {
  return token ? {Authorization: `Bearer ${token}`} : {};
}

// ---- what is asked ----

async function ask() {
  if (asking) return;
  asking = true;
  clearTimeout(timer);
  try {
    const answer = await fetch("status", {headers: headers(), cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS)});
    tokenWanted = answer.status === 401;
    if (!answer.ok) throw new Error(say("answered", {status: answer.status}));
    take(await answer.json());
  } catch (fault) {
    lose(fault);
  }
  asking = false;
  show();
  const pause = goneWhy ? ASK_GONE_MS : ASK_MS;
  timer = setTimeout(ask, document.hidden || tokenWanted ? ASK_HIDDEN_MS : pause);
}

function take(told) {
  if (told?.format !== 1 || typeof told.process !== "object") throw new SyntaxError();
  status = told;
  goneWhy = "";
  answered = nowSeconds();
  history.add(answered, samplesOf(status, serverNow()), status.process);
  if (!remembered) askForHistory(answered - serverNow());
}

/** What was before this page: once, and without it the lines begin now. */
async function askForHistory(shift) {
  remembered = true;
  try {
    const answer = await fetch("history", {headers: headers(), cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS)});
    if (answer.ok) history.remember(await answer.json(), shift);
  } catch {
    remembered = false;  // with the next answer
  }
}

function lose(fault) {
  if (fault.name === "TimeoutError") goneWhy = "slow";
  else if (fault.name === "SyntaxError") goneWhy = "unreadable";
  else goneWhy = fault.name === "TypeError" ? "no_daemon" : fault.message;
  if (history.times.length > 0) history.add(nowSeconds(), null, null);
}

/** By the clock of the daemon, when it tells: that of the browser may be wrong. */
function serverNow() {
  const passed = goneWhy ? nowSeconds() - answered : 0;
  return (status?.now_ms ?? answered * 1000) / 1000 + passed;
}

// ---- what is shown ----

const partitionColumns = [
  {key: "partition", value: (row) => row.partition, figure: true},
  {key: "applied", value: (row) => row.applied, text: (row) => count(row.applied), figure: true},
  {key: "committed", value: (row) => row.committed, text: (row) => count(row.committed), figure: true},
  {key: "log_end", value: (row) => row.log_end, text: (row) => count(row.log_end), figure: true},
  {key: "behind", value: (row) => row.lag_records, text: (row) => count(row.lag_records), figure: true},
  {key: "oldest", value: (row) => row.lag_seconds, text: (row) => age(row.lag_seconds), figure: true},
  {key: "standing", value: standingOf, text: (row) => say(standingOf(row)), className: (row) => `state state-${standingOf(row)}`},
];

const standings = {ok: "at_end", behind: "late", stalled: "stalled", paused: "paused", unknown: "unknown"};

function standingOf(partition) {
  const standing = standings[partition.state] ?? (partition.lag_records > 0 ? "late" : "at_end");
  return standing === "late" && partition.queue_full ? "full" : standing;
}

const indexColumns = [
  {key: "index", value: (row) => row.name},
  {key: "state", value: (row) => row.state, text: (row) => say(row.state), className: (row) => `state state-${row.state}`},
  {key: "rate", value: (row) => row.rate, text: (row) => rate(row.rate), figure: true},
  {key: "behind", value: (row) => row.behind, text: (row) => count(row.behind), figure: true},
  {key: "oldest", value: (row) => row.oldest, text: (row) => (row.behind === null ? say("none") : age(row.oldest)), figure: true},
  {key: "fresh", value: (row) => row.fresh_until_ms, text: freshText, figure: true},
  {key: "dead_letters", value: (row) => row.dead_letters, text: (row) => count(row.dead_letters), figure: true, className: (row) => (row.dead_letters > 0 ? "some" : "")},
  {key: "control", value: (row) => row.state, fill: fillControl},
];

function freshText(row) {
  if (typeof row.fresh_until_ms !== "number") return say("none");
  return say("ago", {age: age(Math.max(0, serverNow() - row.fresh_until_ms / 1000))});
}

function fillControl(cell, row) {
  const wish = row.paused ? "resume" : "pause";
  const may = status.control === true && row.state !== "stopped" && row.state !== "finished";
  if (!may) return cell.replaceChildren();
  if (!cell.firstChild) {
    const button = make("button");
    button.type = "button";
    button.addEventListener("click", () => openWish(button.dataset.wish, row.name));
    cell.append(button);
  }
  cell.firstChild.dataset.wish = wish;
  cell.firstChild.disabled = goneWhy !== "";
  write(cell.firstChild, say(wish));
}

/** Pairs of a word and its text; long ones have a line of their own. */
function fillFacts(list, facts) {
  while (list.children.length > facts.length) list.lastChild.remove();
  facts.forEach(([word, text, wide], i) => {
    if (!list.children[i]) list.append(make("div", "", make("dt"), make("dd")));
    const fact = list.children[i];
    fact.className = wide ? "wide" : "";
    write(fact.firstChild, word);
    write(fact.lastChild, text);
  });
}

function factsOf(index) {
  const facts = [];
  if (index.reason) facts.push([say("why_stopped"), `${index.reason}: ${index.remedy ?? ""}`, true]);
  if (index.mismatch) facts.push([say("why_mismatch"), index.mismatch.remedy, true]);
  if (index.paused) facts.push([say("why_paused"), index.paused, true]);
  if (index.waits_for) facts.push([say("waits_for"), index.waits_for, true]);
  facts.push([say("events"), count(index.events)], [say("puts"), count(index.puts)], [say("deletes"), count(index.deletes)]);
  if (index.topic_partitions > 0) {
    facts.push([say("owned"), say("owned_of", {owned: count(index.assigned_partitions), all: count(index.topic_partitions)})]);
  }
  facts.push([say("held"), bytes(index.held_bytes ?? 0)]);
  for (const [why, number] of Object.entries(index.open_dead_letters ?? {})) {
    if (number > 0) facts.push([`${say("dead_letters")}: ${say(why)}`, count(number)]);
  }
  const pass = index.scrub?.last_pass;
  if (pass) {
    facts.push([say("scrub"), say("scrub_found", {found: count(pass.found), age: age(Math.max(0, serverNow() - pass.ended_ms / 1000))})]);
  }
  return facts;
}

function fillDetails(index, cell) {
  if (!cell.firstChild) {
    const table = make("table");
    cell.append(make("dl"), make("div", "scroll", table), make("p", "note"));
    cell.partitions = new LiveTable(table, partitionColumns);
  }
  const [facts, scroll, note] = cell.children;
  fillFacts(facts, factsOf(index));
  const all = index.partitions ?? [];
  scroll.hidden = all.length === 0;
  if (all.length > 0) cell.partitions.update(all.slice(0, MOST_PARTITIONS).map((each) => ({...each, id: each.partition})));
  const more = all.length - MOST_PARTITIONS;
  note.hidden = more <= 0 && !(all.length === 0 && index.topic_partitions > 0);
  write(note, more > 0 ? say("more_partitions", {more: count(more)}) : say("no_partitions"));
}

const indexTable = new LiveTable(at("index_table"), indexColumns, {details: fillDetails, opened: () => showCharts()});
const charts = new Charts(at("plots"), at("legend"));

const indexFigures = [
  {key: "rate", word: "rate", text: rate, mark: (value) => `${short(value)}/s`},
  {key: "behind", word: "behind", text: count, mark: short},
  {key: "oldest", word: "oldest", text: age},
  {key: "fresh_age", word: "fresh_age", text: age},
  {key: "dead_letters", word: "dead_letters", text: count, mark: short},
];
const captureFigures = [
  {key: "rate", word: "rate", text: rate, mark: (value) => `${short(value)}/s`},
  {key: "newest_age", word: "newest_age", text: age},
  {key: "connections", word: "connections", text: count, mark: short},
  {key: "alarms", word: "alarms", text: count, mark: short},
];

/** One line an index. */
function figureOf({key, word, text, mark}, names) {
  const lines = names.map((name, number) => ({
    label: name, number, values: history.figures.get(name)?.[key] ?? history.times.map(() => null),
  }));
  return {key, title: say(word), text, mark, lines};
}

/** What one index spends its time on. */
function phasesOf(name, several) {
  const figures = history.figures.get(name) ?? {};
  const keys = Object.keys(figures).filter((key) => key.startsWith("phase_"));
  const lines = keys.map((key, number) => ({label: key.slice("phase_".length), number, values: figures[key]}));
  return {key: "phases", title: say(several ? "phases_of" : "phases", {index: name}), text: share, lines, parts: true, stacked: true};
}

/** Half of its calls, and all but one in a hundred, take less. */
function callsOf(name, several) {
  const figures = history.figures.get(name) ?? {};
  const calls = Object.keys(figures).filter((key) => key.startsWith("p99_")).map((key) => key.slice("p99_".length));
  const lines = calls.flatMap((call, number) => ["p99", "p50"].map((part) => ({
    name: call, label: `${call} ${part}`, number, values: figures[`${part}_${call}`], dashed: part === "p50",
  })));
  const made = lines.filter((line) => line.values.some((value) => value !== null));
  return {key: "calls", title: say(several ? "calls_of" : "calls_time", {index: name}), text: milliseconds, lines: made, parts: true};
}

function figuresOf(names) {
  if (status.capture) return captureFigures.map((each) => figureOf(each, names));
  const one = [phasesOf(names[0], names.length > 1), callsOf(names[0], names.length > 1)];
  return [...indexFigures.map((each) => figureOf(each, names)), ...one.filter((each) => each.lines.length > 0)];
}

function showCharts() {
  const names = (status?.indexes ?? []).map((index) => index.name);
  const open = names.filter((name) => indexTable.open.has(name));
  const lines = status?.capture ? [""] : (open.length > 0 ? open : names).slice(0, MOST_LINES);
  at("charts").hidden = lines.length === 0;
  at("some").hidden = lines.length >= names.length;
  write(at("some"), say("charts_of_some", {shown: lines.length, all: names.length}));
  if (lines.length === 0) return;
  charts.show(figuresOf(lines), lines, history.times, history.times.at(-1) ?? nowSeconds());
}

function showIndexes() {
  at("indexes").hidden = !status?.indexes;
  if (!status?.indexes) return;
  at("no_control").hidden = status.control === true;
  indexTable.update(status.indexes.map((index) => ({
    ...index, id: index.name, ...lagOf(index), dead_letters: openDeadLettersOf(index), rate: history.rate(index.name),
  })));
}

function showCapture() {
  at("capture").hidden = !status?.capture;
  if (!status?.capture) return;
  const {capture} = status;
  const newest = capture.newest_write_ms > 0 ? say("ago", {age: age(Math.max(0, serverNow() - capture.newest_write_ms / 1000))}) : say("none");
  fillFacts(at("capture_list"), [
    [say("registered"), say(capture.registered ? "may_find" : "may_not_find")],
    [say("connections"), count(capture.connections)], [say("rate"), rate(history.rate(""))], [say("events"), count(capture.events)],
    [say("cells"), count(capture.cells)], [say("newest_write"), newest], [say("calls"), count(capture.calls)],
    [say("refused_calls"), count(capture.refused_calls)], [say("alarms"), count(capture.alarms)],
  ]);
}

function bannerText() {
  if (tokenWanted) return "";
  if (goneWhy && status) {
    return say("gone", {time: day(answered), age: age(Math.max(0, nowSeconds() - answered)), why: say(goneWhy)});
  }
  if (goneWhy) return say(goneWhy);
  return [status?.stopping ? say("stopping") : "", ...(status?.servers ?? []).map(troubleOf)].filter((each) => each !== "").join(" ");
}

function troubleOf(server) {
  if (server.reachable !== false) return "";
  const since = server.since_ms / 1000;
  return say("server_away", {server: say(`server_${server.server}`), address: server.address, time: clock(since), age: age(Math.max(0, serverNow() - since))});
}

function showFrame() {
  document.documentElement.lang = languageNow() === "zh" ? "zh-CN" : "en";
  document.querySelectorAll("[data-word]:not(td)").forEach((node) => write(node, say(node.dataset.word)));
  write(at("language"), say("other_language"));
  write(at("place"), location.host);
  write(at("alive"), goneWhy ? clock(answered || nowSeconds()) : say(status ? "live" : "connecting"));
  document.body.className = goneWhy ? "gone" : status ? "live" : "";
  at("banner").hidden = bannerText() === "";
  write(at("banner"), bannerText());
  if (at("token").hidden === tokenWanted) at("token").hidden = !tokenWanted;
  const told = status?.process;
  write(at("process"), told ? say("process", {version: told.version, pid: told.pid, start: day(told.start_s)}) : "");
}

function show() {
  showFrame();
  showIndexes();
  showCapture();
  showCharts();
}

// ---- what a person wishes ----

let wished = null;  // {verb, index}

function openWish(verb, index) {
  wished = {verb, index};
  write(at("wish_title"), say(`${verb}_title`, {index}));
  write(at("wish_meaning"), say(`${verb}_meaning`));
  write(at("wish_do"), say(verb));
  at("wish_why").hidden = verb !== "pause";
  at("wish_reason").required = verb === "pause";
  at("wish_reason").value = "";
  at("wish_fault").hidden = true;
  at("wish").showModal();
}

function refuseWish(words) {
  at("wish_fault").hidden = false;
  write(at("wish_fault"), words);
}

async function carryWish() {
  const {verb, index} = wished;
  const query = verb === "pause" ? `?reason=${encodeURIComponent(at("wish_reason").value)}` : "";
  const answer = await fetch(`indexes/${encodeURIComponent(index)}/${verb}${query}`, {
    method: "POST", headers: {...headers(), "X-Fensi": "1"}, signal: AbortSignal.timeout(WISH_TIMEOUT_MS),
  });
  const verdict = await answer.json();
  if (!answer.ok) return refuseWish(verdict.error ?? say("answered", {status: answer.status}));
  if (verdict.applied === false) return refuseWish(say("in_flight"));
  at("wish").close();
}

at("wish_form").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("wish_do").disabled = true;
  try {
    await carryWish();
  } catch (fault) {
    refuseWish(say(fault.name === "TimeoutError" ? "slow" : "no_daemon"));
  }
  at("wish_do").disabled = false;
  ask();
});
at("wish_cancel").addEventListener("click", () => at("wish").close());
at("token").addEventListener("submit", (event) => {
  event.preventDefault();
  token = at("token_text").value.trim();
  at("token_text").value = "";
  ask();
});
at("language").addEventListener("click", () => {
  switchLanguage();
  show();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask();
});

show();
ask();
