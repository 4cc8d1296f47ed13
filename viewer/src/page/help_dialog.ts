// The keys and what the shapes mean.
import { LitElement, css, html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { shared } from './styles';

const keys: [string, string][] = [
  ['← →', 'event before and after, in its process'],
  ['↑', 'to the send of the message it received'],
  ['↓', 'to the receive of the message it sent'],
  ['+ −', 'zoom in and out; also the mouse wheel'],
  ['Enter', 'select the event nearest to the middle'],
  ['f', 'the whole trace'],
  ['z', 'zoom to the selected event'],
  ['a d', 'move left and right; also drag, or Shift and the wheel'],
  ['w s', 'move up and down; also Alt and the wheel'],
  ['c', 'cut at the selected event'],
  ['[ ]', 'previous and next inevitable state'],
  ['/', 'search'],
  ['n N', 'next and previous hit'],
  ['1 … 6', 'the panels at the right'],
  ['Esc', 'nothing selected'],
  ['?', 'this list'],
];

@customElement('lightcone-help')
export class HelpDialog extends LitElement {
  @query('dialog') private dialog!: HTMLDialogElement;

  static override styles = [
    shared,
    css`
      dialog { background: var(--paper); color: var(--ink); border: 1px solid var(--line); border-radius: 8px; padding: 16px 24px; max-width: 560px; }
      dialog::backdrop { background: rgba(0, 0, 0, 0.4); }
      kbd { font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; white-space: nowrap; }
      h2 { font-size: 15px; margin: 4px 0 10px; }
      .past { color: var(--past); }
      .future { color: var(--future); }
      .cut { color: var(--cut); }
    `,
  ];

  show(): void {
    this.dialog.showModal();
  }

  protected override render() {
    return html`<dialog aria-label="Help">
      <h2>Keys</h2>
      <table>${keys.map(([key, words]) => html`<tr><td>${key.split(' ').map((one) => html`<kbd>${one}</kbd> `)}</td><td>${words}</td></tr>`)}</table>
      <h2>Shapes</h2>
      <table>
        <tr><td>● ■ ○</td><td>internal event, send, receive</td></tr>
        <tr><td class="past">◀ ━</td><td>in the past of the selected event</td></tr>
        <tr><td class="future">▶ ┅</td><td>in its future</td></tr>
        <tr><td class="cut">▮</td><td>handle of the cut; double-click makes a cut</td></tr>
      </table>
      <form method="dialog"><button autofocus>Close</button></form>
    </dialog>`;
  }
}
