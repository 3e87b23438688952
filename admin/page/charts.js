// Lines of the last ten minutes, drawn by uPlot: one plot a figure, one line an index, one colour an index in all of them; or
// one plot of one index, with a line for each of its parts.
import {make, write} from "./table.js";
import {clock} from "./text.js";
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

const ruler = document.createElement("canvas").getContext("2d");

/** Pixels of the widest mark, in the font of uPlot's axes. */
function widest(marks) {
  ruler.font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif';
  return Math.max(0, ...marks.map((mark) => ruler.measureText(mark).width));
}

function legendOf(labels) {
  return labels.map(([label, number]) => {
    const item = make("li", `line${number}`);
    item.textContent = label;
    return item;
  });
}

/** Each line with all below it; where one is not known none is. */
function stackedUp(lines) {
  let below = lines[0].values.map((value) => (value === null ? null : 0));
  return lines.map((line) => {
    below = below.map((sum, i) => (sum === null ? null : sum + (line.values[i] ?? 0)));
    return below;
  });
}

export class Charts {
  /** `legend`: a list that names the indexes. */
  constructor(place, legend) {
    Object.assign(this, {place, legend});
    this.plots = [];
    this.built = "";
    this.range = [0, 1];
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.rebuild());
    new ResizeObserver(() => this.fit()).observe(place);
  }

  /**
   * figures: {key, title, text(value), mark(value)? (for the axis, as short as it can be), lines: {label, number (of its colour), values, dashed?}, parts?, stacked?}; each value stands for one of
   * `times`. With `parts` the lines are of one index, and named beside the plot. names: of the indexes.
   */
  show(figures, names, times, now) {
    Object.assign(this, {figures, names, times});
    this.range = [Math.min(times[0] ?? now, now - SHORTEST_SECONDS), now];
    const wanted = JSON.stringify([languageNow(), names, figures.map((each) => [each.key, each.title, each.lines.map((line) => line.label)])]);
    if (wanted !== this.built) this.build(wanted);
    this.plots.forEach((shown, i) => {
      shown.figure = figures[i];
      shown.plot.setData(this.dataOf(figures[i]));
      this.read(shown);
    });
  }

  rebuild() {
    if (this.built) this.build(this.built);
  }

  /** What is stacked is drawn from the top, each over what is above it. */
  dataOf({lines, stacked}) {
    const values = stacked && lines.length > 0 ? stackedUp(lines).reverse() : lines.map((line) => line.values);
    return [this.times, ...values];
  }

  build(wanted) {
    this.plots.forEach(({plot}) => plot.destroy());
    this.place.replaceChildren();
    this.built = wanted;
    this.legend.replaceChildren(...legendOf(this.names.map((name, i) => [name, i]).filter(([name]) => name !== "")));
    this.plots = this.figures.map((figure) => this.plotOf(figure));
    this.fit();
  }

  plotOf(figure) {
    const reading = make("span", "reading");
    const caption = make("figcaption", "", make("b"), reading);
    write(caption.firstChild, figure.title);
    const holder = make("figure", "", caption);
    if (figure.parts) {
      const labels = new Map(figure.lines.map((line) => [line.name ?? line.label, line.number]));
      holder.append(make("ul", "legend", ...legendOf([...labels])));
    }
    this.place.append(holder);
    const shown = {figure, reading, holder};
    shown.plot = new window.uPlot(this.optionsOf(figure, () => this.read(shown)), this.dataOf(figure), holder);
    return shown;
  }

  optionsOf(figure, moved) {
    // The widest mark, with the tick and its gap: nothing of a mark is cut.
    const widthOf = (plot, marks) => Math.ceil(18 + widest(marks ?? []));
    const [text, grid] = [color("--quiet"), color("--line")];
    const axis = {stroke: text, grid: {stroke: grid, width: 1}, ticks: {stroke: grid, width: 1}};
    const lines = figure.stacked ? [...figure.lines].reverse() : figure.lines;
    const seriesOf = (line) => {
      const stroke = color(`--line${line.number}`);
      return {stroke, fill: figure.stacked ? stroke : undefined, dash: line.dashed ? [4, 4] : undefined, width: figure.stacked ? 0 : 1.5, points: {show: false}};
    };
    return {
      width: 300, height: HEIGHT, legend: {show: false},
      cursor: {sync: {key: "fensi"}, drag: {x: false, y: false}, points: {size: 6}},
      scales: {
        x: {range: () => this.range},
        y: {range: (plot, least, most) => [0, most > 0 ? most * 1.1 : 1]},
      },
      axes: [
        {...axis, space: 70, size: 28, values: (plot, splits) => timesOf(splits)},
        {...axis, size: widthOf, values: (plot, splits) => splits.map(figure.mark ?? figure.text)},
      ],
      series: [{}, ...lines.map(seriesOf)],
      hooks: {setCursor: [moved]},
    };
  }

  /** What the cursor stands on, or the newest; of many lines the largest. */
  read({plot, figure, reading}) {
    if (!plot) return;
    const at = plot.cursor.idx ?? this.times.length - 1;
    const values = figure.lines.map((line) => [line.label, line.values[at]]).filter(([, value]) => value !== null && value !== undefined);
    if (figure.parts) values.sort(([, one], [, other]) => other - one);
    const words = values.slice(0, 3).map(([label, value]) => (figure.lines.length > 1 ? `${label} ${figure.text(value)}` : figure.text(value)));
    const moment = plot.cursor.idx === null || plot.cursor.idx === undefined ? "" : `${clock(this.times[at])}  `;
    write(reading, words.length > 0 ? moment + words.join(" · ") : "");
  }

  fit() {
    for (const {plot, holder} of this.plots) {
      const width = Math.max(200, Math.floor(holder.clientWidth));
      if (width !== plot.width) plot.setSize({width, height: HEIGHT});
    }
  }
}
