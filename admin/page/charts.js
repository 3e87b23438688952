// Lines of the last ten minutes, drawn by uPlot: one plot a figure, one line an index, one colour an index in all of them.
import {make, write} from "./table.js";
import {clock, short} from "./text.js";
import {languageNow, say} from "./words.js";

export const MOST_LINES = 8;
const HEIGHT = 150;
const SHORTEST_SECONDS = 60;

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function timesOf(splits) {
  const minutes = splits.every((each) => each % 60 === 0);
  return splits.map((each) => (minutes ? clock(each).slice(0, 5) : clock(each)));
}

export class Charts {
  /** `legend`: a list that names the lines. */
  constructor(place, legend) {
    Object.assign(this, {place, legend});
    this.plots = [];
    this.built = "";
    this.range = [0, 1];
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.rebuild());
    new ResizeObserver(() => this.fit()).observe(place);
  }

  /** figures: {key, word, text(value)}; names: of the history's lines. */
  show(figures, names, history, now) {
    Object.assign(this, {figures, names, history, now});
    const first = Math.min(history.times[0] ?? now, now - SHORTEST_SECONDS);
    this.range = [first, now];
    const wanted = JSON.stringify([languageNow(), figures.map((each) => each.key), names]);
    if (wanted !== this.built) this.build(wanted);
    else this.plots.forEach(({plot, figure}) => plot.setData(this.dataOf(figure)));
    this.plots.forEach((each) => this.read(each));
  }

  rebuild() {
    if (this.built) this.build(this.built);
  }

  dataOf(figure) {
    const {times, figures} = this.history;
    return [times, ...this.names.map((name) => figures.get(name)?.[figure.key] ?? times.map(() => null))];
  }

  build(wanted) {
    this.plots.forEach(({plot}) => plot.destroy());
    this.place.replaceChildren();
    this.built = wanted;
    this.legend.replaceChildren(...this.names.filter((name) => name !== "").map((name, i) => {
      const line = make("li", `line${i}`);
      line.textContent = name;
      return line;
    }));
    this.plots = this.figures.map((figure) => this.plotOf(figure));
    this.fit();
  }

  plotOf(figure) {
    const reading = make("span", "reading");
    const caption = make("figcaption", "", make("b"), reading);
    write(caption.firstChild, say(figure.word));
    const holder = make("figure", "", caption);
    this.place.append(holder);
    const shown = {figure, reading, holder};
    shown.plot = new window.uPlot(this.optionsOf(figure, () => this.read(shown)), this.dataOf(figure), holder);
    return shown;
  }

  optionsOf(figure, moved) {
    const [text, grid] = [color("--quiet"), color("--line")];
    const axis = {stroke: text, grid: {stroke: grid, width: 1}, ticks: {stroke: grid, width: 1}};
    return {
      width: 300, height: HEIGHT, legend: {show: false},
      cursor: {sync: {key: "fensi"}, drag: {x: false, y: false}, points: {size: 6}},
      scales: {
        x: {range: () => this.range},
        y: {range: (plot, least, most) => [0, most > 0 ? most * 1.1 : 1]},
      },
      axes: [
        {...axis, space: 70, size: 28, values: (plot, splits) => timesOf(splits)},
        {...axis, size: 52, values: (plot, splits) => splits.map(short)},
      ],
      series: [{}, ...this.names.map((name, i) => ({stroke: color(`--line${i}`), width: 1.5, points: {show: false}}))],
      hooks: {setCursor: [moved]},
    };
  }

  /** What the cursor stands on, or the newest. */
  read({plot, figure, reading}) {
    if (!plot) return;
    const at = plot.cursor.idx ?? this.history.times.length - 1;
    const time = this.history.times[at];
    const values = this.names.map((name) => [name, this.history.figures.get(name)?.[figure.key]?.[at]]);
    const known = values.filter(([, value]) => value !== null && value !== undefined).slice(0, 3);
    const words = known.map(([name, value]) => (values.length > 1 ? `${name} ${figure.text(value)}` : figure.text(value)));
    const moment = plot.cursor.idx === null || plot.cursor.idx === undefined ? "" : `${clock(time)}  `;
    write(reading, known.length > 0 ? moment + words.join(" · ") : "");
  }

  fit() {
    for (const {plot, holder} of this.plots) {
      const width = Math.max(200, Math.floor(holder.clientWidth));
      if (width !== plot.width) plot.setSize({width, height: HEIGHT});
    }
  }
}
