// The page: holds what is looked at, and passes it between the diagram, the panels and the source.
import { LitElement, html, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { Extent } from '../diagram/camera';
import '../diagram/diagram_element';
import type { DiagramElement } from '../diagram/diagram_element';
import { noHighlights, type Arrow, type Highlights } from '../diagram/highlights';
import '../diagram/minimap_element';
import { palette, type Palette } from '../diagram/palette';
import { groupsByName, makeRows, plainChoice, type RowChoice, type Rows } from '../diagram/rows';
import type { HeldTile } from '../diagram/tile_store';
import { savePng, saveSvg } from '../diagram/save_picture';
import type { Source } from '../source/source';
import { fromLeft } from '../trace/places';
import {
  isFailure,
  samePlace,
  type AxisInfo,
  type AxisKind,
  type CutAnswer,
  type CutWish,
  type EventDetails,
  type Failure,
  type Place,
  type Places,
  type Race,
  type RaceOther,
  type Races,
  type SearchHits,
  type SearchKind,
  type TraceInfo,
  type Traffic,
} from '../trace/types';
import './comparison_panel';
import './cut_panel';
import './event_panel';
import './help_dialog';
import type { HelpDialog } from './help_dialog';
import { keyAction, type KeyAction } from './keys';
import { pageStyles } from './page_styles';
import { applyTheme, preferredDark, rememberDark } from './page_theme';
import { readPermalink, writePermalink } from './permalink';
import './processes_panel';
import './properties_panel';
import { PropertySession } from './property_session';
import './races_panel';
import { tabs, type Tab } from './tabs';
import './toolbar';
import type { Toolbar } from './toolbar';
import { levelText } from './level_text';
import { shared } from './styles';
import { secondRows, secondRun, type SecondRun } from './second_run';
import { announcement, counted, placeText } from './wording';

interface Painted {
  tile: HeldTile | null;
  overview: HeldTile | null;
}
const lookAgain = 1000; // milliseconds between looks whether the trace has grown

@customElement('lightcone-page')
export class PageElement extends LitElement {
  @state() private trace: TraceInfo | null = null;
  @state() private axis: AxisInfo | null = null;
  @state() private rows: Rows = { rows: [], rowOf: new Int32Array() };
  @state() private choice: RowChoice = plainChoice();
  @state() private selection: EventDetails | null = null;
  @state() private cut: CutAnswer | null = null;
  @state() private highlights: Highlights = noHighlights();
  @state() private view: Extent = { from: 0, to: 1 };
  @state() private tile: HeldTile | null = null;
  @state() private overview: HeldTile | null = null;
  @state() private tab: Tab = 'event';
  @state() private isDark = preferredDark();
  @state() private palette: Palette = palette(false);
  @state() private search: { kind: SearchKind; words: string } = { kind: 'any', words: '' };
  @state() private hits: SearchHits | Failure | null = null;
  @state() private races: Races | null = null;
  @state() private second: SecondRun | null = null;
  @state() private isHeld = false;
  @state() private problem = '';
  @query('#diagram') private diagram!: DiagramElement;
  @query('#second') private secondDiagram!: DiagramElement | null;
  @query('lightcone-toolbar') private bar!: Toolbar;
  @query('lightcone-help') private help!: HelpDialog;

  private source!: Source;
  private traffic: Traffic | null = null;
  private readonly properties = new PropertySession(
    this,
    () => this.source,
    () => (this.highlights = { ...this.highlights, path: null, points: this.second?.points ?? null }),
    (error) => this.fail(error),
  );
  private dragTo: { process: number; x: number } | null = null;
  private isDragging = false;
  private linkTimer = 0;

  static override styles = [shared, pageStyles];

  async start(source: Source): Promise<void> {
    this.source = source;
    this.palette = applyTheme(this, this.isDark);
    try {
      const trace = await source.trace();
      const link = readPermalink(location.hash, trace);
      const kind = link.axis && trace.axes.includes(link.axis) ? link.axis : trace.axes[0]!;
      const axis = await source.axis(kind);
      this.setTrace(trace);
      this.choice = {
        order: link.order ?? 'file',
        hidden: new Set(link.hidden),
        groups: groupsByName(trace.processes),
        collapsed: new Set(link.collapsed),
      };
      await this.arrange();
      this.axis = axis;
      await this.updateComplete;
      await this.diagram.updateComplete;
      await this.startSecond();
      if (link.view) this.diagram.look(link.view);
      if (link.event) await this.pick(link.event, false);
      if (link.cut) await this.askCut({ want: 'above', ranks: link.cut }, true);
      if (link.search) await this.find(link.search, 0);
      if (link.tab) this.openTab(link.tab as Tab);
      this.properties.text = link.properties ?? trace.properties;
      if (this.properties.text) void this.properties.check();
      if (!source.exported) window.setInterval(() => void this.lookAgain(), lookAgain);
      window.addEventListener('keydown', (event) => this.key(event));
      window.addEventListener('hashchange', () => void this.followLink());
    } catch (error) {
      this.fail(error);
    }
  }

  protected override render() {
    const { trace, axis } = this;
    if (!trace || !axis) return html`${this.problem ? html`<div class="problem" role="alert">${this.problem}</div>` : html`<p class="note" style="padding:20px">Loading …</p>`}`;
    return html`
      <div>
        ${this.toolbar(trace, axis)}
        ${this.problem ? html`<div class="problem" role="alert">${this.problem}</div>` : nothing}
        ${trace.extent ? html`<div class="notes">${trace.extent}</div>` : nothing}
      </div>
      <main>
        <div class="stage">
          <lightcone-diagram id="diagram" .alike=${this.second?.alike ?? null} .source=${this.source} .trace=${trace} .axis=${axis} .rows=${this.rows}
            .palette=${this.palette} .selection=${this.selection} .cut=${this.cut} .highlights=${this.highlights}
            summary=${`${counted(trace.processes.length, 'process', 'processes')}, ${counted(trace.events, 'event')}, ${counted(trace.messages, 'message')}`}
            @pick=${(event: CustomEvent<Place | null>) => void this.pick(event.detail, false)}
            @cut-at=${(event: CustomEvent<number>) => void this.cutAt(event.detail)}
            @cut-drag=${(event: CustomEvent<{ process: number; x: number }>) => void this.dragCut(event.detail)}
            @cut-drop=${() => void this.dropCut()}
            @view-changed=${(event: CustomEvent<Extent>) => this.viewChanged(event.detail)}
            @painted=${(event: CustomEvent<Painted>) => this.painted(event.detail)}
            @failed=${(event: CustomEvent<unknown>) => this.fail(event.detail)}></lightcone-diagram>
          ${this.second ? this.secondStage(this.second) : nothing}
          <lightcone-minimap .overview=${this.overview} .axis=${axis} .rows=${this.rows}
            .palette=${this.palette} .view=${this.view} .selection=${this.selection} .cut=${this.cut}
            .highlights=${this.highlights}
            @look=${(event: CustomEvent<Extent>) => this.diagram.look(event.detail)}></lightcone-minimap>
          <div class="status" id="level">${levelText(this.tile, this.choice, trace, axis)}</div>
        </div>
        <aside aria-label="Details">
          <nav role="tablist">
            ${tabs.filter(([tab]) => tab !== 'comparison' || this.second).map(([tab, name]) => html`<button role="tab" aria-selected=${this.tab === tab} @click=${() => this.openTab(tab)}>${name}</button>`)}
          </nav>
          <div class="panel" role="tabpanel">${this.panel(trace)}</div>
        </aside>
      </main>
      <lightcone-help></lightcone-help>
      <div class="visually-hidden" role="status" aria-live="polite" id="announcement">${this.selection ? announcement(trace, this.selection) : nothing}</div>
    `;
  }

  private toolbar(trace: TraceInfo, axis: AxisInfo) {
    return html`<lightcone-toolbar .trace=${trace} .axis=${axis} .search=${this.search} .hits=${this.hits}
      .currentHit=${this.highlights.currentHit} ?exported=${this.source.exported} ?held=${this.isHeld} ?dark=${this.isDark}
      @axis=${(event: CustomEvent<AxisKind>) => void this.setAxis(event.detail)}
      @fit=${() => this.diagram.fit()}
      @zoom=${(event: CustomEvent<number>) => this.diagram.zoomBy(event.detail)}
      @search=${(event: CustomEvent<{ kind: SearchKind; words: string }>) => void this.find(event.detail)}
      @hit=${(event: CustomEvent<number>) => void this.nextHit(event.detail)}
      @hold=${() => (this.isHeld = !this.isHeld)}
      @save-svg=${() => saveSvg(this.diagram.scene(), trace.name)}
      @save-png=${() => savePng(this.diagram.scene(), trace.name)}
      @theme=${this.toggleTheme}
      @help=${() => this.help.show()}></lightcone-toolbar>`;
  }

  private secondStage(second: SecondRun) {
    return html`<div class="run">${second.trace.name} <span class="soft">second run</span></div>
      <lightcone-diagram id="second" .source=${second.source} .trace=${second.trace} .axis=${second.axis}
        .rows=${second.rows} .palette=${this.palette} .highlights=${second.highlights} .alike=${second.otherAlike}
        summary="second run"
        @view-changed=${(event: CustomEvent<Extent>) => this.follow(this.diagram, event.detail)}
        @pick=${(event: CustomEvent<Place | null>) => void this.pickInSecond(event.detail)}></lightcone-diagram>`;
  }

  private panel(trace: TraceInfo) {
    switch (this.tab) {
      case 'comparison':
        return this.second ? html`<lightcone-comparison-panel .comparison=${this.second.comparison}
          first=${trace.name} second=${this.second.trace.name}
          @difference=${(event: CustomEvent<number>) => void this.showDifference(event.detail)}></lightcone-comparison-panel>` : nothing;
      case 'cut':
        return html`<lightcone-cut-panel .trace=${trace} .cut=${this.cut}
          @cut-start=${() => void this.askCut({ want: 'above', ranks: trace.processes.map(() => 0) }, true)}
          @cut-selection=${() => void this.cutAtSelection()}
          @cut-previous=${() => void this.walkCut('previous')} @cut-next=${() => void this.walkCut('next')}
          @cut-clear=${() => this.clearCut()}
          @cut-step=${(event: CustomEvent<{ process: number; rank: number }>) => void this.stepCut(event.detail)}></lightcone-cut-panel>`;
      case 'properties':
        return html`<lightcone-properties-panel .trace=${trace} .text=${this.properties.text} .answer=${this.properties.answer}
          ?readonly=${this.source.exported} ?checking=${this.properties.isChecking} .shown=${this.properties.shown}
          .witness=${this.properties.witness} .step=${this.properties.step}
          @typed=${(event: CustomEvent<string>) => this.typed(event.detail)}
          @explain=${(event: CustomEvent<{ property: number; place: Place | null }>) => void this.explain(event.detail)}
          @play=${(event: CustomEvent<number>) => void this.play(this.properties.step + event.detail)}
          @pick=${(event: CustomEvent<Place>) => void this.pick(event.detail, true)}></lightcone-properties-panel>`;
      case 'races':
        return html`<lightcone-races-panel .trace=${trace} .races=${this.races}
          @race=${(event: CustomEvent<{ race: Race; other: RaceOther }>) => void this.showRace(event.detail)}
          @pick=${(event: CustomEvent<Place>) => void this.pick(event.detail, true)}></lightcone-races-panel>`;
      case 'processes':
        return html`<lightcone-processes-panel .trace=${trace} .choice=${this.choice}
          @choice=${(event: CustomEvent<RowChoice>) => void this.choose(event.detail)}></lightcone-processes-panel>`;
      default:
        return html`<lightcone-event-panel .trace=${trace} .event=${this.selection}
          @pick=${(event: CustomEvent<Place>) => void this.pick(event.detail, true)}
          @walk=${(event: CustomEvent<string>) => void this.walk(event.detail)}></lightcone-event-panel>`;
    }
  }

  // The trace.

  private setTrace(trace: TraceInfo): void {
    this.trace = trace;
    this.problem = trace.problem;
    document.title = `${trace.name} – Lightcone`;
  }

  private async arrange(): Promise<void> {
    if (this.choice.order === 'traffic') this.traffic ??= await this.source.traffic();
    this.rows = makeRows(this.trace!, this.choice, this.traffic);
    if (this.second) this.second = { ...this.second, rows: secondRows(this.second.trace, this.trace!, this.rows) };
  }

  private async choose(choice: RowChoice): Promise<void> {
    this.choice = choice;
    await this.arrange();
    this.linkLater();
  }

  private async setAxis(kind: AxisKind): Promise<void> {
    const axis = await this.source.axis(kind);
    this.second = this.second && (await secondRun(this.source, this.trace!, axis, this.choice));
    this.axis = this.second?.commonAxis ?? axis;
    await this.refresh();
    await this.diagram.updateComplete;
    if (this.selection) this.diagram.reveal(this.selection.x);
    this.linkLater();
  }

  /** Asks again for all that has positions on the axis. */
  private async refresh(): Promise<void> {
    const kind = this.axis!.kind;
    if (this.selection) this.selection = await this.source.event(this.selection, kind);
    if (this.cut) await this.askCut({ want: 'above', ranks: this.cut.ranks }, this.cut.inevitable !== null);
    if (this.search.words) await this.find(this.search, this.highlights.currentHit);
    const { path, points } = this.highlights;
    this.highlights = {
      ...this.highlights,
      path: path && (await this.source.positions(path, kind)),
      points: points && (await this.source.positions(points, kind)),
      arrows: [],
    };
  }

  private async lookAgain(): Promise<void> {
    if (this.isHeld || !this.trace) return;
    try {
      const { version, problem } = await this.source.version();
      this.problem = problem;
      if (version === this.trace.version) return;
      const trace = await this.source.trace();
      const axis = await this.source.axis(this.axis!.kind);
      this.setTrace(trace);
      this.traffic = null;
      this.races = null;
      if (this.cut && this.cut.ranks.length !== trace.processes.length) this.cut = null;
      this.choice = { ...this.choice, groups: groupsByName(trace.processes) };
      await this.arrange();
      this.axis = axis;
      await this.refresh();
      if (this.tab === 'races') this.races = await this.source.races();
      if (this.properties.text) await this.properties.check();
    } catch {
      this.problem = 'The server does not answer any more. Was lightcone view ended?';
    }
  }

  private fail(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
  }

  // The selected event.

  private async pick(place: Place | null, approach: boolean): Promise<void> {
    if (!place) {
      this.selection = null;
      this.linkLater();
      return;
    }
    this.selection = await this.source.event(place, this.axis!.kind);
    if (!['properties', 'races', 'comparison'].includes(this.tab)) this.tab = 'event';
    if (approach) this.diagram.approach(this.selection.x);
    else this.diagram.reveal(this.selection.x);
    this.diagram.revealRow(place.process);
    this.linkLater();
  }

  private async walk(direction: string): Promise<void> {
    const event = this.selection;
    if (!event || !this.trace) return;
    const to: Record<string, Place | undefined> = {
      left: event.rank > 0 ? { process: event.process, rank: event.rank - 1 } : undefined,
      right: event.rank < this.trace.counts[event.process]! ? { process: event.process, rank: event.rank + 1 } : undefined,
      up: event.takes[0],
      down: event.receivers[0],
    };
    const place = to[direction];
    if (place) await this.pick(place, false);
  }

  // The cut.

  private async askCut(wish: CutWish, askInevitable: boolean): Promise<boolean> {
    const cut = await this.source.cut(wish, this.axis!.kind, askInevitable);
    if (!cut) return false;
    this.cut = cut;
    this.linkLater();
    return true;
  }

  private async cutAt(x: number): Promise<void> {
    this.openTab('cut');
    await this.askCut({ want: 'at', x }, true);
  }

  private async cutAtSelection(): Promise<void> {
    if (!this.selection) return;
    this.openTab('cut');
    await this.askCut({ want: 'above', ranks: this.selection.past }, true);
  }

  /** One request at a time, for where the handle is now. */
  private async dragCut(to: { process: number; x: number }): Promise<void> {
    this.dragTo = to;
    if (this.isDragging) return;
    this.isDragging = true;
    while (this.dragTo && this.cut) {
      const next: { process: number; x: number } = this.dragTo;
      this.dragTo = null;
      await this.askCut({ want: 'drag', ranks: this.cut.ranks, ...next }, false);
    }
    this.isDragging = false;
  }

  private async dropCut(): Promise<void> {
    while (this.isDragging) await new Promise((resolve) => setTimeout(resolve, 10));
    if (this.cut) await this.askCut({ want: 'above', ranks: this.cut.ranks }, true);
  }

  private async stepCut(to: { process: number; rank: number }): Promise<void> {
    await this.askCut({ want: 'step', ranks: this.cut!.ranks, ...to }, true);
  }

  private async walkCut(want: 'previous' | 'next'): Promise<void> {
    if (!this.cut || !(await this.askCut({ want, ranks: this.cut.ranks }, true))) return;
    this.diagram.reveal(Math.max(...this.cut.at));
  }

  private clearCut(): void {
    this.cut = null;
    this.linkLater();
  }

  // Search.

  private async find(search: { kind: SearchKind; words: string }, current = -1): Promise<void> {
    this.search = search;
    const answer = search.words ? await this.source.search(search.kind, search.words, this.axis!.kind) : null;
    this.hits = answer && !isFailure(answer) ? { ...answer, places: fromLeft(answer.places) } : answer;
    const hits = this.hits && !isFailure(this.hits) ? this.hits.places : null;
    this.highlights = { ...this.highlights, hits, currentHit: hits ? Math.min(current, hits.x.length - 1) : -1 };
    if (hits && hits.x.length && current < 0) await this.nextHit(1);
    this.linkLater();
  }

  private async nextHit(by: number): Promise<void> {
    const hits = this.highlights.hits;
    if (!hits || hits.x.length === 0) return;
    const count = hits.x.length;
    const at = this.highlights.currentHit;
    const currentHit = at < 0 ? this.nearestHit(hits) : (at + by + count) % count;
    this.highlights = { ...this.highlights, currentHit };
    await this.pick({ process: hits.process[currentHit]!, rank: hits.rank[currentHit]! }, true);
  }

  /** The first hit that is in sight or right of it. */
  private nearestHit(hits: Places): number {
    return Math.max(0, hits.x.findIndex((x) => x >= this.view.from));
  }

  // Properties.

  private typed(text: string): void {
    this.properties.type(text);
    this.linkLater();
  }

  private async explain({ property, place }: { property: number; place: Place | null }): Promise<void> {
    const text = place ? placeText(this.trace!.processes, place) : '';
    const checked = await this.properties.explain(property, text);
    if (!checked) return;
    if (checked.cut) await this.askCut({ want: 'above', ranks: checked.cut }, false);
    const isMissing = checked.verb === 'require' && checked.verdict === 'fail';
    await this.mark(isMissing ? checked.missing : checked.at, place);
  }

  /** Shows the places of a property, and the witness of one of them. */
  private async mark(places: { process: number[]; rank: number[] }, place: Place | null): Promise<void> {
    const { path, points } = await this.properties.marks(this.trace!, this.axis!.kind, places);
    this.highlights = { ...this.highlights, path, points };
    const end = place ?? (places.process.length ? { process: places.process[0]!, rank: places.rank[0]! } : null);
    if (end) await this.pick(end, true);
    else if (this.cut) this.diagram.approach(Math.max(...this.cut.at));
    if (path && path.x.length > 1) this.diagram.showAll(path.x);
  }

  /** Shows the observation up to a step: the least cut that contains its events. */
  private async play(step: number): Promise<void> {
    const ranks = this.properties.play(this.trace!, step);
    if (!ranks) return;
    await this.askCut({ want: 'above', ranks }, false);
    this.diagram.reveal(Math.max(...this.cut!.at));
  }

  // Races.

  private async showRace({ race, other }: { race: Race; other: RaceOther }): Promise<void> {
    const places = [race.from, race, other.from];
    const { x } = await this.source.positions(
      { process: places.map((one) => one.process), rank: places.map((one) => one.rank) },
      this.axis!.kind,
    );
    const at = (process: number, i: number) => ({ process, x: x[i]! });
    const to = at(race.process, 1);
    const arrows: Arrow[] = [
      { from: at(race.from.process, 0), to, dashed: false },
      { from: at(other.from.process, 2), to, dashed: true },
    ];
    this.highlights = { ...this.highlights, arrows };
    await this.pick(race, true);
    if (Math.min(...x) < this.view.from || Math.max(...x) > this.view.to) this.diagram.showAll(x);
  }

  // The second run.

  private async startSecond(): Promise<void> {
    this.second = await secondRun(this.source, this.trace!, this.axis!, this.choice);
    if (!this.second) return;
    this.axis = this.second.commonAxis;
    this.highlights = { ...this.highlights, points: this.second.points };
    await this.updateComplete;
    if (this.tab === 'event') this.tab = 'comparison';
  }

  /** Shows the same part of the axis in the other diagram. */
  private follow(other: DiagramElement, view: Extent): void {
    const { from, to } = other.camera.view;
    const near = (to - from) * 1e-9;
    if (other.axis && (Math.abs(from - view.from) > near || Math.abs(to - view.to) > near)) other.look(view);
  }

  private async showDifference(i: number): Promise<void> {
    const { process, event, a, b } = this.second!.comparison.first[i]!;
    const inFirst = { process: this.trace!.processes.indexOf(process), rank: event };
    if (a) await this.pick(inFirst, true);
    else if (b) await this.pickInSecond({ process: this.second!.trace.processes.indexOf(process), rank: event });
  }

  private async pickInSecond(place: Place | null): Promise<void> {
    if (!place || !this.second) return;
    const details = await this.second.source.event(place, this.axis!.kind);
    this.diagram.approach(details.x);
    this.second = { ...this.second, highlights: { ...this.second.highlights, path: { process: [place.process], rank: [place.rank], x: [details.x] } } };
  }

  // The page itself.

  private openTab(tab: Tab): void {
    if (!tabs.some(([known]) => known === tab)) return;
    this.tab = tab;
    if (tab === 'races' && !this.races) void this.source.races().then((races) => (this.races = races), (error) => this.fail(error));
    this.linkLater();
  }

  private painted({ tile, overview }: Painted): void {
    this.tile = tile;
    this.overview = overview;
  }

  private viewChanged(view: Extent): void {
    this.view = view;
    if (this.secondDiagram) this.follow(this.secondDiagram, view);
    this.linkLater();
  }

  private toggleTheme(): void {
    this.isDark = !this.isDark;
    rememberDark(this.isDark);
    this.palette = applyTheme(this, this.isDark);
  }

  private linkLater(): void {
    if (this.linkTimer) return;
    this.linkTimer = window.setTimeout(() => {
      this.linkTimer = 0;
      history.replaceState(null, '', `#${this.permalink()}`);
    }, 250);
  }

  permalink(): string {
    const { trace, axis } = this;
    if (!trace || !axis) return '';
    const isWhole = this.view.from <= axis.begin && this.view.to >= axis.end;
    return writePermalink(
      {
        axis: axis.kind,
        view: isWhole ? null : this.view,
        event: this.selection,
        cut: this.cut?.ranks ?? null,
        search: this.search.words ? this.search : null,
        properties: this.properties.text === trace.properties ? null : this.properties.text,
        order: this.choice.order,
        hidden: [...this.choice.hidden],
        collapsed: [...this.choice.collapsed],
        tab: this.tab === 'event' ? null : this.tab,
      },
      trace,
    );
  }

  /** The user changed the address: shows what it says. */
  private async followLink(): Promise<void> {
    if (location.hash.slice(1) === this.permalink()) return;
    const link = readPermalink(location.hash, this.trace!);
    if (link.axis && link.axis !== this.axis!.kind) await this.setAxis(link.axis);
    if (link.view) this.diagram.look(link.view);
    else this.diagram.fit();
    if (!samePlace(link.event, this.selection)) await this.pick(link.event, false);
    if (link.cut) await this.askCut({ want: 'above', ranks: link.cut }, true);
    else this.cut = null;
    if (link.tab) this.openTab(link.tab as Tab);
  }

  private key(event: KeyboardEvent): void {
    const action = keyAction(event);
    if (!action) return;
    event.preventDefault();
    const { diagram, selection } = this;
    const actions: Record<KeyAction, () => unknown> = {
      left: () => (selection ? this.walk('left') : diagram.panBy(-0.2)),
      right: () => (selection ? this.walk('right') : diagram.panBy(0.2)),
      up: () => (selection ? this.walk('up') : diagram.scrollRows(-60)),
      down: () => (selection ? this.walk('down') : diagram.scrollRows(60)),
      'zoom in': () => diagram.zoomBy(1.6),
      'zoom out': () => diagram.zoomBy(1 / 1.6),
      fit: () => diagram.fit(),
      approach: () => selection && diagram.approach(selection.x),
      'pan left': () => diagram.panBy(-0.2),
      'pan right': () => diagram.panBy(0.2),
      'scroll up': () => diagram.scrollRows(-60),
      'scroll down': () => diagram.scrollRows(60),
      cut: () => this.cutAtSelection(),
      'previous state': () => this.walkCut('previous'),
      'next state': () => this.walkCut('next'),
      search: () => this.bar.focusSearch(),
      'next hit': () => this.nextHit(1),
      'previous hit': () => this.nextHit(-1),
      'select nothing': () => this.pick(null, false),
      help: () => this.help.show(),
    };
    void actions[action]();
  }
}
