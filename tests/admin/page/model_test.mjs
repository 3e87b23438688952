// What the status page shows, out of what a daemon tells: admin/page/model.js alone, without a browser.
//   node --test tests/admin/page/model_test.mjs
import assert from 'node:assert/strict';
import {copyFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

// A browser takes every file of the page for a module, node by its name.
const folder = mkdtempSync(join(tmpdir(), 'fensi-page-'));
process.on('exit', () => rmSync(folder, {recursive: true}));
copyFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../admin/page/model.js'), join(folder, 'model.mjs'));
const {History, KEPT_SECONDS, lagOf, openDeadLettersOf, samplesOf, sorted} = await import(join(folder, 'model.mjs'));

const partition = (events, seconds) => ({lag_records: events, lag_seconds: seconds});
const index = (partitions, more) => ({name: 'fensi', topic_partitions: 4, events: 0, partitions, ...more});
const process_ = {pid: 7, start_s: 1000};
/** An answer each second, by the number of events; null: nobody answered. */
function told(events, {from = 0, history = new History(), of = process_} = {}) {
  events.forEach((each, i) => history.add(from + i, each === null ? null : samplesOf({indexes: [index([], {events: each})]}, from + i), of));
  return history;
}

test('an index is behind by all of its partitions and as old as the oldest', () => {
  assert.deepEqual(lagOf(index([partition(5, 1.5), partition(0, 90), partition(7, 3)])), {behind: 12, oldest: 3});
  assert.deepEqual(lagOf(index([])), {behind: 0, oldest: 0});
});

test('partitions that a daemon does not show count by its sums', () => {
  const shown = [partition(5, 1.5), partition(7, 3)];
  assert.deepEqual(lagOf(index(shown, {lag_records: 30, lag_seconds: 80})), {behind: 30, oldest: 80});
  assert.deepEqual(lagOf(index(shown, {lag_records: 12, lag_seconds: 80})), {behind: 12, oldest: 3}, 'all are shown');
  assert.deepEqual(lagOf(index(shown, {lag_records: 30, lag_seconds: null})), {behind: 30, oldest: null}, 'of one the age is not known');
  assert.deepEqual(lagOf(index([], {lag_records: 30, lag_seconds: 80})), {behind: 30, oldest: 80}, 'none is shown');
});

test('what is not known is no zero', () => {
  assert.deepEqual(lagOf({name: 'of a file', topic_partitions: 0, partitions: [partition(5, 1)]}), {behind: null, oldest: null});
  assert.deepEqual(lagOf(index([partition(5, null), partition(7, 3)])), {behind: 12, oldest: null});
  assert.equal(samplesOf({indexes: [index([], {fresh_until_ms: null})]}, 100).get('fensi').fresh_age, null);
  assert.equal(samplesOf({capture: {newest_write_ms: 0}}, 100).get('').newest_age, null);
});

test('ages are of now, and a clock that is behind gives none below zero', () => {
  const fresh = (now) => samplesOf({indexes: [index([], {fresh_until_ms: 98_000})]}, now).get('fensi').fresh_age;
  assert.deepEqual([fresh(100), fresh(97)], [2, 0]);
});

test('open dead letters of all reasons are summed, and those that nobody has counted are not known', () => {
  assert.equal(openDeadLettersOf({open_dead_letters: {rejected: 3, refused: 4}}), 7);
  assert.equal(openDeadLettersOf({open_dead_letters: {}}), 0);
  assert.equal(openDeadLettersOf({open_dead_letters: null}), null);
  assert.equal(openDeadLettersOf({}), null);
});

test('a rate is of the last ten seconds', () => {
  const history = told([...Array(20).keys()].map((second) => second * (second < 10 ? 1000 : 10)).map((each, i) => (i < 10 ? each : 9000 + each)));
  assert.equal(history.rate('fensi'), (9190 - 9000) / 10);
  assert.equal(history.rate('nobody'), null);
  assert.equal(told([5]).rate('fensi'), null);
});

test('a daemon that begins anew has no rate across its start', () => {
  const history = told([5000, 6000]);
  told([10, 20], {from: 2, history, of: {pid: 8, start_s: 1002}});
  assert.deepEqual(history.figures.get('fensi').rate.slice(2), [null, 10]);
  assert.equal(history.rate('fensi'), 10);
});

test('a clock that was set is no new daemon', () => {
  const history = told([5000, 6000]);
  told([7000], {from: 2, history, of: {pid: 7, start_s: 1001.5}});
  assert.equal(history.rate('fensi'), 1000);
});

test('a moment without an answer is a hole, not the last figure again', () => {
  assert.deepEqual(told([1, null, 3]).figures.get('fensi').events, [1, null, 3]);
});

test('ten minutes are kept, and who was not heard of since is forgotten', () => {
  const history = told([1, 2]);
  history.add(2, new Map([['other', {events: 5}]]), process_);
  for (let second = 3; second <= KEPT_SECONDS + 2; ++second) history.add(second, new Map([['other', {events: 5}]]), process_);
  assert.deepEqual([...history.figures.keys()], ['other']);
  assert.equal(history.times.length, KEPT_SECONDS + 1);
  for (const values of Object.values(history.figures.get('other'))) assert.equal(values.length, history.times.length);
});

test('what a daemon remembers stands before the first answer, by our clock', () => {
  const history = told([100, 110], {from: 50});
  history.remember({indexes: [{
    name: 'fensi', times_ms: [38_000, 39_000, 40_000], events_per_s: [7, 8, 9], lag_records: [1, 2, 3], lag_seconds: [0.1, 0.2, 0.3],
    fresh_until_ms: [38_000, 38_000, null], dead_letters: [0, 0, 4], phases: {plan: [0.5, 0.5, 0.5]}, store: {put: {p50_s: [1, 1, 1], p99_s: [2, 2, 2]}},
  }]}, 10);
  assert.deepEqual(history.times, [48, 49, 50, 51]);
  const figures = history.figures.get('fensi');
  assert.deepEqual(figures.rate, [7, 8, 9, 10]);
  assert.deepEqual(figures.behind, [1, 2, 0, 0]);
  assert.deepEqual(figures.events, [null, null, 100, 110]);
});

test('rows that have no figure stand last, whichever way', () => {
  const rows = [3, null, 1, undefined, 2];
  const column = {value: (row) => row};
  assert.deepEqual(sorted(rows, column, false).slice(0, 3), [1, 2, 3]);
  assert.deepEqual(sorted(rows, column, true).slice(0, 3), [3, 2, 1]);
  assert.deepEqual(sorted(['b', 'a'], column, false), ['a', 'b']);
});
