// Processes: their order, which are hidden, and which stand together in one row.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { containsText, type RowChoice, type RowOrder } from '../diagram/rows';
import type { TraceInfo } from '../trace/types';
import { shared } from './styles';
import { counted } from './wording';

const mostListed = 300;

@customElement('lightcone-processes-panel')
export class ProcessesPanel extends LitElement {
  @property({ attribute: false }) trace!: TraceInfo;
  @property({ attribute: false }) choice!: RowChoice;
  @state() private filter = '';

  static override styles = [
    shared,
    css`
      ul { list-style: none; padding: 0; margin: 6px 0; }
      li { display: flex; gap: 8px; padding: 2px 0; align-items: baseline; }
      label { flex: 1; overflow-wrap: anywhere; }
      .buttons { display: flex; gap: 6px; margin: 6px 0; flex-wrap: wrap; }
    `,
  ];

  protected override render() {
    const names = this.trace.processes
      .map((name, p) => ({ name, p }))
      .filter(({ name }) => containsText(name, this.filter));
    const hidden = this.choice.hidden;
    const events = [...hidden].reduce((sum, p) => sum + this.trace.counts[p]!, 0);
    return html`
      <label>Order <select @change=${(event: Event) => this.change({ order: (event.target as HTMLSelectElement).value as RowOrder })}>
        ${(
          [
            ['file', 'as in the trace'],
            ['name', 'by name'],
            ['first', 'by first event'],
            ['traffic', 'by who talks to whom'],
            ['group', 'by group'],
          ] as const
        ).map(([value, words]) => html`<option value=${value} ?selected=${this.choice.order === value}>${words}</option>`)}
      </select></label>
      ${this.groups()}
      <h3>Processes</h3>
      <input type="search" placeholder="filter" aria-label="filter processes" .value=${this.filter}
        @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
      <div class="buttons">
        <button ?disabled=${!this.filter || names.length === 0} @click=${() => this.group()}>Group these</button>
        <button @click=${() => this.change({ hidden: new Set() })}>Show all</button>
        <button @click=${() => this.change({ hidden: new Set([...hidden, ...names.map(({ p }) => p)]) })}>Hide ${this.filter ? 'these' : 'all'}</button>
      </div>
      ${hidden.size ? html`<p class="note" id="hidden">${counted(hidden.size, 'process is', 'processes are')} hidden, with ${counted(events, 'event')}.</p>` : nothing}
      <ul>${names.slice(0, mostListed).map(({ name, p }) => html`<li>
        <label><input type="checkbox" .checked=${!hidden.has(p)} @change=${() => this.toggle(p)} /> ${name}</label>
        <span class="soft">${this.trace.counts[p]!.toLocaleString('en')}</span>
      </li>`)}</ul>
      ${names.length > mostListed ? html`<p class="note">${counted(names.length - mostListed, 'more process', 'more processes')}; use the filter.</p>` : nothing}
    `;
  }

  private groups() {
    const groups = [...this.choice.groups];
    if (groups.length === 0) return nothing;
    return html`<h3>Groups</h3><ul>${groups.map(([name, members]) => html`<li>
      <label><input type="checkbox" .checked=${this.choice.collapsed.has(name)} @change=${() => this.collapse(name)} />
        ${name} in one row</label>
      ${this.isOwn(name) ? html`<button class="link" @click=${() => this.ungroup(name)}>ungroup</button>` : nothing}
      <span class="soft">${counted(members.length, 'process', 'processes')}</span>
    </li>`)}</ul>`;
  }

  /** A group of those whose names contain what is typed. */
  private group(): void {
    const own = [...new Set([...this.choice.own, this.filter])];
    this.change({ own, collapsed: new Set([...this.choice.collapsed, `*${this.filter}*`]) });
  }
  private isOwn(name: string): boolean {
    return this.choice.own.some((text) => `*${text}*` === name);
  }
  private ungroup(name: string): void {
    const collapsed = new Set(this.choice.collapsed);
    collapsed.delete(name);
    this.change({ own: this.choice.own.filter((text) => `*${text}*` !== name), collapsed });
  }
  private toggle(p: number): void {
    const hidden = new Set(this.choice.hidden);
    if (!hidden.delete(p)) hidden.add(p);
    this.change({ hidden });
  }
  private collapse(group: string): void {
    const collapsed = new Set(this.choice.collapsed);
    if (!collapsed.delete(group)) collapsed.add(group);
    this.change({ collapsed });
  }
  private change(change: Partial<RowChoice>): void {
    this.dispatchEvent(new CustomEvent('choice', { detail: { ...this.choice, ...change } }));
  }
}
