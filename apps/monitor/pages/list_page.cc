// The list of executions as one HTML file, with its style and its script.
#include "pages/list_page.h"

namespace lightcone::service {

std::string_view list_page() {
  return R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Executions · Lightcone monitor</title>
<style>
  :root { color-scheme: light dark; --text: #1d2430; --faint: #5b6675; --line: #d8dee6;
          --back: #fff; --link: #1257b0; --fail: #b3261e; --pass: #1a6e35; }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e4e8ee; --faint: #9aa5b4; --line: #323b48; --back: #14181f;
            --link: #7fb3ff; --fail: #ff8a80; --pass: #7fd69a; }
  }
  body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--back);
         max-width: 68rem; margin: 0 auto; padding: 1.5rem; }
  h1 { font-size: 1.35rem; margin: 0 0 .2rem; }
  h2 { font-size: 1.05rem; margin: 1.8rem 0 .5rem; }
  p { margin: .3rem 0; color: var(--faint); }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line);
           vertical-align: top; }
  th { color: var(--faint); font-weight: 600; font-size: .85rem; background: var(--back); }
  td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
  td { overflow-wrap: anywhere; }
  td.number, th.number, td.time { white-space: nowrap; }
  a { color: var(--link); }
  .fail { color: var(--fail); font-weight: 600; }
  .pass { color: var(--pass); }
  #trouble { color: var(--fail); }
</style>
<h1>Executions</h1>
<p>What this monitor watches, and the failing executions that it kept.</p>
<p id="trouble" role="status"></p>
<h2>Open</h2>
<div id="open"></div>
<h2>Kept</h2>
<div id="kept"></div>
<script>
const token = new URLSearchParams(location.search).get('token') ?? '';
const query = token ? `?token=${encodeURIComponent(token)}` : '';
function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
function link(kind, one) {
  if (!one.name) return element('span', one.execution);
  const made = element('a', one.execution);
  made.href = `view/${kind}/${encodeURIComponent(one.name)}/${query}`;
  return made;
}
function verdicts(list) {
  const cell = element('td');
  for (const { property, verdict, count } of list) {
    const line = element('div');
    line.append(element('span', verdict, verdict), ` ${property}`);
    if (count > 1) line.append(` (at ${count} places)`);
    cell.append(line);
  }
  return cell;
}
function size(bytes) {
  if (bytes < 1e4) return `${bytes} bytes`;
  return bytes < 1e7 ? `${Math.round(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`;
}
function table(heads, rows) {
  const made = element('table'), head = element('tr');
  for (const [text, className] of heads) head.append(element('th', text, className));
  const body = element('tbody'), top = element('thead');
  top.append(head);
  for (const cells of rows) {
    const row = element('tr');
    row.append(...cells);
    body.append(row);
  }
  made.append(top, body);
  return made;
}
function named(kind, one) {
  const cell = element('td', undefined, 'name');
  cell.append(link(kind, one));
  return cell;
}
function show({ open, kept, keeps }) {
  const openRows = open.map((one) => [
    named('open', one), element('td', one.processes.toLocaleString(), 'number'),
    element('td', one.events.toLocaleString(), 'number')]);
  document.querySelector('#open').replaceChildren(openRows.length === 0
    ? element('p', 'No execution is open.')
    : table([['Execution'], ['Processes', 'number'], ['Events', 'number']], openRows));
  const keptRows = kept.map((one) => [
    named('kept', one), verdicts(one.verdicts),
    element('td', new Date(one.time * 1000).toLocaleString(), 'time'),
    element('td', size(one.bytes), 'number')]);
  document.querySelector('#kept').replaceChildren(keptRows.length > 0
    ? table([['Execution'], ['Verdicts'], ['Kept'], ['Size', 'number']], keptRows)
    : element('p', keeps ? 'No execution has failed.'
      : 'The monitor keeps no executions. Start it with --keep DIR to look at them.'));
}
let last = '';
async function look() {
  try {
    const answer = await fetch('executions', { headers: { 'X-Lightcone-Token': token } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text.trim());
    document.querySelector('#trouble').textContent = '';
    if (text !== last) show(JSON.parse(text));
    last = text;
  } catch (error) {
    const trouble = document.querySelector('#trouble');
    trouble.textContent = `The monitor does not answer: ${error.message}`;
  }
  setTimeout(look, 2000);
}
look();
</script>
)html";
}

}  // namespace lightcone::service
