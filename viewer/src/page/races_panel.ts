// The receptions that could have gone another way.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Place, Race, RaceOther, Races, TraceInfo } from '../trace/types';
import { shared } from './styles';
import { counted, placeText } from './wording';

const mostListed = 200;
const mostOthers = 5; // for each reception

@customElement('lightcone-races-panel')
export class RacesPanel extends LitElement {
  @property({ attribute: false }) trace!: TraceInfo;
  @property({ attribute: false }) races: Races | null = null;
  @state() private chosen = '';

  static override styles = [
    shared,
    css`
      ul { list-style: none; padding: 0; margin: 8px 0; }
      li { border-bottom: 1px solid var(--line); padding: 5px 0; }
      .others { margin: 2px 0 0 16px; display: flex; flex-direction: column; align-items: flex-start; }
      .chosen { font-weight: 700; }
    `,
  ];

  protected override render() {
    if (!this.races) return html`<p class="note">Looking for races …</p>`;
    const { receptions, complete } = this.races;
    if (receptions.length === 0) {
      return html`<p class="note" id="count">No receive could have taken another message.</p>`;
    }
    const listed = receptions.slice(0, mostListed);
    return html`<p id="count">${complete ? '' : 'At least '}${counted(receptions.length, 'reception')} could have gone another way.</p>
      <p class="note">Choose what could have come instead: the message that came is solid, the other one dashed.</p>
      <ul>${listed.map((race) => this.item(race))}</ul>
      ${receptions.length > listed.length ? html`<p class="note">The first ${listed.length} are listed.</p>` : nothing}`;
  }

  private item(race: Race) {
    return html`<li>
      ${this.place(race)} took <span class="mono">${race.message}</span> from ${this.place(race.from)}; it could have taken
      <div class="others">${race.others.slice(0, mostOthers).map((other) => this.other(race, other))}
        ${race.others.length > mostOthers ? html`<span class="soft">and ${race.others.length - mostOthers} more</span>` : nothing}</div>
    </li>`;
  }

  private other(race: Race, other: RaceOther) {
    const key = `${race.process}:${race.rank} ${race.message} ${other.message}`;
    const show = () => {
      this.chosen = key;
      this.dispatchEvent(new CustomEvent('race', { detail: { race, other } }));
    };
    return html`<button class="link ${this.chosen === key ? 'chosen' : ''}" @click=${show}>
      <span class="mono">${other.message}</span> from ${placeText(this.trace.processes, other.from)}${other.to ? `, which came at ${placeText(this.trace.processes, other.to)}` : ', which never came'}
    </button>`;
  }

  private place(place: Place) {
    const pick = () => this.dispatchEvent(new CustomEvent('pick', { detail: place }));
    return html`<button class="link" @click=${pick}>${placeText(this.trace.processes, place)}</button>`;
  }
}
