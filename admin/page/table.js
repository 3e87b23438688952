// A table that is filled again each second without losing focus, selection or its place on the screen. Whatever a daemon
// says gets into the page as text only.
import {sorted} from "./model.js";
import {say} from "./words.js";

export function make(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * columns: {key, value(row), text(row)?, fill(cell, row)?, figure?, className(row)?}; `key` is the word of its head. Of rows each has an
 * `id`. With `details(row, cell)` a row can be opened: it fills the cell that stands below it.
 */
export class LiveTable {
  constructor(table, columns, {sort = columns[0].key, descending = false, details = null, opened = () => {}} = {}) {
    Object.assign(this, {columns, details, opened, sort, descending});
    this.head = make("tr");
    this.body = make("tbody");
    this.shown = new Map();  // id -> {row, cells, opener, below}
    this.open = new Set();
    table.replaceChildren(make("thead", "", this.head), this.body);
    this.rows = [];
  }

  update(rows) {
    this.rows = rows;
    this.writeHead();
    const column = this.columns.find((each) => each.key === this.sort);
    const order = sorted(rows, column, this.descending);
    const nodes = order.flatMap((row) => this.nodesOf(row));
    const ids = new Set(rows.map((row) => row.id));
    for (const id of [...this.shown.keys()]) {
      if (!ids.has(id)) this.shown.delete(id);
    }
    const there = this.body.children;
    const same = there.length === nodes.length && nodes.every((node, i) => there[i] === node);
    if (!same) this.put(nodes);
  }

  /** A node that is taken out and put in again loses the focus. */
  put(nodes) {
    const focus = document.activeElement;
    this.body.replaceChildren(...nodes);
    if (focus && this.body.contains(focus)) focus.focus();
  }

  writeHead() {
    if (this.head.children.length === 0) {
      for (const column of this.columns) {
        const button = make("button");
        button.type = "button";
        button.addEventListener("click", () => this.sortBy(column.key));
        this.head.append(make("th", column.figure ? "figure" : "", button));
      }
    }
    this.columns.forEach((column, i) => {
      const cell = this.head.children[i];
      const chosen = column.key === this.sort;
      write(cell.firstChild, say(column.key) + (chosen ? (this.descending ? " ↓" : " ↑") : ""));
      cell.setAttribute("aria-sort", chosen ? (this.descending ? "descending" : "ascending") : "none");
    });
  }

  sortBy(key) {
    this.descending = key === this.sort ? !this.descending : this.columns.find((each) => each.key === key).figure === true;
    this.sort = key;
    this.update(this.rows);
  }

  nodesOf(row) {
    if (!this.shown.has(row.id)) this.shown.set(row.id, this.newRow(row));
    const shown = this.shown.get(row.id);
    this.columns.forEach((column, i) => {
      const {cell, text} = shown.cells[i];
      cell.dataset.word = say(column.key);
      cell.className = `${column.figure ? "figure " : ""}${column.className?.(row) ?? ""}`;
      if (column.fill) column.fill(text, row);
      else write(text, column.text ? column.text(row) : String(column.value(row)));
    });
    const isOpen = this.details !== null && this.open.has(row.id);
    shown.opener?.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return [shown.row];
    this.details(row, shown.below.firstChild);
    return [shown.row, shown.below];
  }

  newRow(row) {
    const cells = this.columns.map(() => {
      const text = make("span");
      return {cell: make("td", "", text), text};
    });
    const shown = {row: make("tr", "", ...cells.map(({cell}) => cell)), cells};
    if (this.details === null) return shown;
    const opener = make("button", "opener", cells[0].text);
    opener.type = "button";
    cells[0].cell.append(opener);
    shown.opener = opener;
    shown.below = make("tr", "below", make("td"));
    shown.below.firstChild.colSpan = this.columns.length;
    opener.addEventListener("click", () => {
      if (!this.open.delete(row.id)) this.open.add(row.id);
      this.update(this.rows);
      this.opened();
    });
    return shown;
  }
}
