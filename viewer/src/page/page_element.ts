// The page: holds what is looked at, and passes it between the diagram, the panels and the source.
import { LitElement, html, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { Extent } from '../diagram/camera';
import '../diagram/diagram_element';
import type { DiagramElement } from '../diagram/diagram_element';
import { noHighlights, type Arrow, type Highlights } from '../diagram/highlights';
import '../diagram/minimap_element';
import type { MinimapElement } from '../diagram/minimap_element';
import { palette, type Palette } from '../diagram/palette';
import { allGroups, makeRows, plainChoice, type RowChoice, type Rows } from '../diagram/rows';
import type { HeldTile } from '../diagram/tile_store';
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
import './help_dialog';
import type { HelpDialog } from './help_dialog';
import { pressKey } from './page_keys';
import { panelOf, secondStageOf, tabBarOf, toolbarOf } from './page_panels';
import { pageStyles } from './page_styles';
import { applyTheme, preferredDark, rememberDark } from './page_theme';
import { readPermalink, writePermalink, type Permalink } from './permalink';
import { PropertySession } from './property_session';
import { numbersIn, renumberedCut, sameIn } from './renumbered';
import { tabs, type Tab } from './tabs';
import type { Toolbar } from './toolbar';
import { levelText } from './level_text';
import { shared } from './styles';
import { secondRows, secondRun, type SecondRun } from './second_run';
import { announcement, counted, placeText } from './wording';

interface Painted {
  tile: HeldTile | null;
  overview: HeldTile | null;
}
/** What the diagram does when an event is selected. */
export type Reveal = 'stay' | 'reveal' | 'approach';
const doubleClickTime = 600; // milliseconds: its clicks do not open another panel
const lookAgain = 1000; // milliseconds between looks whether the trace has grown

@customElement('lightcone-page')
export class PageElement extends LitElement {
  @state() trace: TraceInfo | null = null;
  @state() axis: AxisInfo | null = null;
  @state() rows: Rows = { rows: [], rowOf: new Int32Array() };
  @state() choice: RowChoice = plainChoice();
  @state() selection: EventDetails | null = null;
  @state() cut: CutAnswer | null = null;
  @state() highlights: Highlights = noHighlights();
  @state() tile: HeldTile | null = null;
  @state() overview: HeldTile | null = null;
  @state() tab: Tab = 'event';
  @state() isDark = preferredDark();
  @state() palette: Palette = palette(false);
  @state() search: { kind: SearchKind; words: string } = { kind: 'any', words: '' };
  @state() hits: SearchHits | Failure | null = null;
  @state() races: Races | null = null;
  @state() second: SecondRun | null = null;
  @state() secondSelection: EventDetails | null = null;
  @state() isHeld = false;
  @state() problem = '';
  @query('#diagram') diagram!: DiagramElement;
  @query('#second') secondDiagram!: DiagramElement | null;
  @query('lightcone-minimap') private minimap!: MinimapElement;
  @query('lightcone-toolbar') bar!: Toolbar;
  @query('lightcone-help') help!: HelpDialog;

  source!: Source;
  view: Extent = { from: 0, to: 1 }; // changes with each frame, and only the minimap shows it
  private traffic: Traffic | null = null;
  readonly properties = new PropertySession(
    this,
    () => this.source,
    () => void this.propertiesChecked(),
    (error) => this.fail(error),
  );
  private dragTo: { process: number; x: number } | null = null;
  private isDragging = false;
  private activeRun: 1 | 2 = 1;
  private picks = 0;
  private cutMade = -Infinity; // when a double click made a cut
  private isReading = false;
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
      await this.chooseLinked(link);
      this.axis = axis;
      await this.updateComplete;
      await this.diagram.updateComplete;
      await this.startSecond();
      await this.show(link);
      if (!source.exported) window.setInterval(() => void this.lookAgain(), lookAgain);
      window.addEventListener('keydown', (event) => pressKey(this, event));
      window.addEventListener('hashchange', (event) => void this.followLink(new URL(event.newURL).hash));
    } catch (error) {
      this.fail(error);
    }
  }

  protected override render() {
    const { trace, axis } = this;
    if (!trace || !axis) return html`${this.problem ? html`<div class="problem" role="alert">${this.problem}</div>` : html`<p class="note" style="padding:20px">Loading …</p>`}`;
    const level = levelText(this.tile, this.choice, trace, axis);
    return html`
      <div>
        ${toolbarOf(this, trace, axis)}
        ${this.problem ? html`<div class="problem" role="alert">${this.problem}</div>` : nothing}
        ${trace.extent ? html`<div class="notes">${trace.extent}</div>` : nothing}
      </div>
      <main>
        <div class="stage">
          <lightcone-diagram id="diagram" .alike=${this.second?.alike ?? null} .source=${this.source} .trace=${trace} .axis=${axis} .rows=${this.rows}
            .palette=${this.palette} .selection=${this.selection} .cut=${this.cut} .highlights=${this.highlights}
            summary=${`${counted(trace.processes.length, 'process', 'processes')}, ${counted(trace.events, 'event')}, ${counted(trace.messages, 'message')}`}
            @pick=${(event: CustomEvent<Place | null>) => void this.pick(event.detail, 'stay')}
            @scrolled=${(event: CustomEvent<number>) => this.secondDiagram?.scrollRowsTo(event.detail)}
            @cut-at=${(event: CustomEvent<number>) => void this.cutAt(event.detail)}
            @cut-drag=${(event: CustomEvent<{ process: number; x: number }>) => void this.dragCut(event.detail)}
            @cut-drop=${() => void this.dropCut()}
            @view-changed=${(event: CustomEvent<Extent>) => this.viewChanged(event.detail)}
            @painted=${(event: CustomEvent<Painted>) => this.painted(event.detail)}
            @failed=${(event: CustomEvent<unknown>) => this.fail(event.detail)}></lightcone-diagram>
          ${this.second ? secondStageOf(this, this.second) : nothing}
          <lightcone-minimap .overview=${this.overview} .axis=${axis} .rows=${this.rows}
            .palette=${this.palette} .view=${this.view} .selection=${this.selection} .cut=${this.cut}
            .highlights=${this.highlights} .others=${this.second?.highlights.points ?? null}
            @look=${(event: CustomEvent<Extent>) => this.diagram.look(event.detail)}></lightcone-minimap>
          <div class="status" id="level" title=${level}>${level}</div>
        </div>
        <aside aria-label="Details">
          ${tabBarOf(this)}
          <div class="panel" role="tabpanel">${panelOf(this, trace)}</div>
        </aside>
      </main>
      <lightcone-help></lightcone-help>
      <div class="visually-hidden" role="status" aria-live="polite" id="announcement">${this.selection ? announcement(trace, this.selection) : nothing}</div>
    `;
  }

  // The trace.

  private setTrace(trace: TraceInfo): void {
    this.trace = trace;
    this.problem = trace.problem;
    document.title = `${trace.name} – Lightcone`;
  }

  async arrange(): Promise<void> {
    if (this.choice.order === 'traffic') this.traffic ??= await this.source.traffic();
    this.rows = makeRows(this.trace!, this.choice, this.traffic);
    if (this.second) this.second = { ...this.second, rows: secondRows(this.second.trace, this.trace!, this.rows) };
  }

  async choose(choice: RowChoice): Promise<void> {
    const isRegrouped = choice.own !== this.choice.own;
    this.choice = choice;
    if (isRegrouped) this.choice = { ...choice, groups: this.groups() };
    await this.arrange();
    this.linkLater();
  }

  async setAxis(kind: AxisKind): Promise<void> {
    const axis = await this.source.axis(kind);
    this.second = this.second && (await secondRun(this.source, this.trace!, axis, this.choice));
    this.axis = this.second?.commonAxis ?? axis;
    await this.refresh();
    await this.diagram.updateComplete;
    if (this.selection) this.diagram.reveal(this.selection.x);
    this.linkLater();
  }

  /** Asks again for all that has positions on the axis. */
  async refresh(): Promise<void> {
    const kind = this.axis!.kind;
    const { second, secondSelection } = this;
    if (this.selection) this.selection = await this.source.event(this.selection, kind);
    if (second && secondSelection) this.secondSelection = await second.source.event(secondSelection, kind);
    if (this.cut) await this.askCut({ want: 'above', ranks: this.cut.ranks }, this.cut.inevitable !== null);
    if (this.search.words) await this.find(this.search, this.highlights.currentHit);
    const { path, points } = this.highlights;
    const places = this.properties.shown < 0 && second ? second.points : points;
    this.highlights = {
      ...this.highlights,
      path: path && (await this.source.positions(path, kind)),
      points: places && (await this.source.positions(places, kind)),
      arrows: [],
    };
  }

  async lookAgain(): Promise<void> {
    if (this.isHeld || !this.trace || this.isReading) return;
    this.isReading = true;
    try {
      const { version, problem, second = 0 } = await this.source.version();
      this.problem = problem;
      if (version !== this.trace.version || second !== (this.second?.trace.version ?? 0)) await this.readAgain();
    } catch {
      this.problem = 'The server does not answer any more. Was lightcone view ended?';
    } finally {
      this.isReading = false;
    }
  }

  /** A trace has grown: all that is shown is asked for again. */
  private async readAgain(): Promise<void> {
    const [before, secondBefore] = [this.trace!, this.second?.trace];
    const trace = await this.source.trace();
    const axis = await this.source.axis(this.axis!.kind);
    const numbers = numbersIn(before, trace);
    const hidden = [...this.choice.hidden].map((p) => numbers[p]!).filter((p) => p >= 0);
    this.setTrace(trace);
    this.traffic = null;
    this.races = null;
    if (this.cut) this.cut = { ...this.cut, ranks: renumberedCut(this.cut.ranks, before, trace) };
    if (this.selection && !samePlace(this.selection, sameIn(this.selection, before, trace))) this.selection = null;
    this.choice = { ...this.choice, hidden: new Set(hidden), groups: this.groups() };
    await this.arrange();
    this.second = this.second && (await secondRun(this.source, trace, axis, this.choice));
    if (this.secondSelection && !samePlace(this.secondSelection, sameIn(this.secondSelection, secondBefore!, this.second!.trace))) this.secondSelection = null;
    this.axis = this.second?.commonAxis ?? axis;
    await this.refresh();
    if (this.tab === 'races') this.races = await this.source.races();
    if (this.properties.text) await this.properties.check();
  }

  /** By the property file, by the user, and by names. */
  private groups(): Map<string, number[]> {
    return allGroups(this.trace!.processes, this.properties.groups, this.choice.own);
  }

  private async propertiesChecked(): Promise<void> {
    this.highlights = { ...this.highlights, path: null, points: this.second?.points ?? null };
    await this.choose({ ...this.choice, groups: this.groups() });
  }

  fail(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
  }

  // The selected event.

  /** Selects an event of the first run, and the same one of the second. */
  async pick(place: Place | null, how: Reveal): Promise<void> {
    const number = ++this.picks;
    const { second } = this;
    const other = place && second && sameIn(place, this.trace!, second.trace);
    const selection = place && (await this.source.event(place, this.axis!.kind));
    const otherSelection = other && (await second!.source.event(other, this.axis!.kind));
    if (number !== this.picks) return;
    this.activeRun = 1;
    this.selected(selection, otherSelection, how);
  }

  async pickInSecond(place: Place | null, how: Reveal): Promise<void> {
    const { second } = this;
    if (!second) return;
    const number = ++this.picks;
    const first = place && sameIn(place, second.trace, this.trace!);
    const otherSelection = place && (await second.source.event(place, this.axis!.kind));
    const selection = first && (await this.source.event(first, this.axis!.kind));
    if (number !== this.picks) return;
    this.activeRun = 2;
    this.selected(selection, otherSelection, how);
  }

  private selected(first: EventDetails | null, second: EventDetails | null, how: Reveal): void {
    this.selection = first;
    this.secondSelection = second;
    const shown = this.activeRun === 1 ? first : second;
    if (shown) {
      const isReading = ['properties', 'races', 'comparison'].includes(this.tab) && how !== 'stay';
      const isCutting = performance.now() - this.cutMade < doubleClickTime;
      if (!isReading && !isCutting) this.tab = 'event';
      if (how === 'approach') this.diagram.approach(shown.x);
      else if (how === 'reveal') this.diagram.reveal(shown.x);
    }
    if (first && how !== 'stay') this.diagram.revealRow(first.process);
    if (second && how !== 'stay') this.secondDiagram?.revealRow(second.process);
    this.linkLater();
  }

  /** Along causes, in the run that was clicked last. */
  async walk(direction: string, run = this.activeRun): Promise<void> {
    const event = run === 1 ? this.selection : this.secondSelection;
    const trace = run === 1 ? this.trace : this.second?.trace;
    if (!event || !trace) return;
    const { process, rank } = event;
    const to: Record<string, Place | undefined> = {
      left: rank > 0 ? { process, rank: rank - 1 } : undefined,
      right: rank < trace.counts[process]! ? { process, rank: rank + 1 } : undefined,
      up: event.takes[0],
      down: event.receivers[0],
    };
    const place = to[direction];
    if (place) await (run === 1 ? this.pick(place, 'reveal') : this.pickInSecond(place, 'reveal'));
  }

  /** The event nearest to the middle of what is seen. */
  async pickMiddle(): Promise<void> {
    const { from, to } = this.view;
    const own = this.rows.rows[this.diagram.middleRow()]?.processes ?? [];
    const all = this.rows.rows.flatMap((row) => row.processes);
    for (const processes of [own, all]) {
      const { process, rank } = await this.source.nearest(processes, (from + to) / 2, this.axis!.kind);
      if (process.length > 0) return this.pick({ process: process[0]!, rank: rank[0]! }, 'reveal');
    }
  }

  // The cut.

  async askCut(wish: CutWish, askInevitable: boolean): Promise<boolean> {
    const cut = await this.source.cut(wish, this.axis!.kind, askInevitable);
    if (!cut) return false;
    this.cut = cut;
    this.linkLater();
    return true;
  }

  async cutAt(x: number): Promise<void> {
    this.cutMade = performance.now();
    this.openTab('cut');
    await this.askCut({ want: 'at', x }, true);
  }

  async cutAtSelection(): Promise<void> {
    if (!this.selection) return;
    this.openTab('cut');
    await this.askCut({ want: 'above', ranks: this.selection.past }, true);
  }

  /** One request at a time, for where the handle is now. */
  async dragCut(to: { process: number; x: number }): Promise<void> {
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

  async dropCut(): Promise<void> {
    while (this.isDragging) await new Promise((resolve) => setTimeout(resolve, 10));
    if (this.cut) await this.askCut({ want: 'above', ranks: this.cut.ranks }, true);
  }

  async stepCut(to: { process: number; rank: number }): Promise<void> {
    await this.askCut({ want: 'step', ranks: this.cut!.ranks, ...to }, true);
  }

  async walkCut(want: 'previous' | 'next'): Promise<void> {
    if (!this.cut || !(await this.askCut({ want, ranks: this.cut.ranks }, true))) return;
    this.diagram.reveal(Math.max(...this.cut.at));
  }

  clearCut(): void {
    this.cut = null;
    this.linkLater();
  }

  // Search.

  async find(search: { kind: SearchKind; words: string }, current = -1): Promise<void> {
    this.search = search;
    const answer = search.words ? await this.source.search(search.kind, search.words, this.axis!.kind) : null;
    this.hits = answer && !isFailure(answer) ? { ...answer, places: fromLeft(answer.places) } : answer;
    const hits = this.hits && !isFailure(this.hits) ? this.hits.places : null;
    this.highlights = { ...this.highlights, hits, currentHit: hits ? Math.min(current, hits.x.length - 1) : -1 };
    if (hits && hits.x.length && current < 0) await this.nextHit(1);
    this.linkLater();
  }

  async nextHit(by: number): Promise<void> {
    const hits = this.highlights.hits;
    if (!hits || hits.x.length === 0) return;
    const count = hits.x.length;
    const at = this.highlights.currentHit;
    const currentHit = at < 0 ? this.nearestHit(hits) : (at + by + count) % count;
    this.highlights = { ...this.highlights, currentHit };
    await this.pick({ process: hits.process[currentHit]!, rank: hits.rank[currentHit]! }, 'approach');
  }

  /** The first hit that is in sight or right of it. */
  private nearestHit(hits: Places): number {
    return Math.max(0, hits.x.findIndex((x) => x >= this.view.from));
  }

  // Properties.

  typed(text: string): void {
    this.properties.type(text);
    this.linkLater();
  }

  async explain({ property, place }: { property: number; place: Place | null }): Promise<void> {
    const text = place ? placeText(this.trace!.processes, place) : '';
    const checked = await this.properties.explain(property, text);
    if (!checked) return;
    if (checked.cut) await this.askCut({ want: 'above', ranks: checked.cut }, false);
    const isMissing = checked.verb === 'require' && checked.verdict === 'fail';
    await this.mark(isMissing ? checked.missing : checked.at, place);
  }

  /** Shows the places of a property, and the witness of one of them. */
  async mark(places: { process: number[]; rank: number[] }, place: Place | null): Promise<void> {
    const { path, points } = await this.properties.marks(this.trace!, this.axis!.kind, places);
    this.highlights = { ...this.highlights, path, points };
    const end = place ?? (places.process.length ? { process: places.process[0]!, rank: places.rank[0]! } : null);
    if (end) await this.pick(end, 'approach');
    else if (this.cut) this.diagram.approach(Math.max(...this.cut.at));
    if (path && path.x.length > 1) this.diagram.showAll(path.x);
  }

  /** Shows the observation up to a step: the least cut that contains its events. */
  async play(step: number): Promise<void> {
    const ranks = this.properties.play(this.trace!, step);
    if (!ranks) return;
    await this.askCut({ want: 'above', ranks }, false);
    this.diagram.reveal(Math.max(...this.cut!.at));
  }

  // Races.

  async showRace({ race, other }: { race: Race; other: RaceOther }): Promise<void> {
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
    await this.pick(race, 'approach');
    if (Math.min(...x) < this.view.from || Math.max(...x) > this.view.to) this.diagram.showAll(x);
  }

  // The second run.

  async startSecond(): Promise<void> {
    this.second = await secondRun(this.source, this.trace!, this.axis!, this.choice);
    if (!this.second) return;
    this.axis = this.second.commonAxis;
    this.highlights = { ...this.highlights, points: this.second.points };
    await this.updateComplete;
    if (this.tab === 'event') this.tab = 'comparison';
  }

  /** Shows the same part of the axis in the other diagram. */
  follow(other: DiagramElement, view: Extent): void {
    const { from, to } = other.camera.view;
    const near = (to - from) * 1e-9;
    if (other.axis && (Math.abs(from - view.from) > near || Math.abs(to - view.to) > near)) other.look(view);
  }

  async showDifference(i: number): Promise<void> {
    const { process, event, a } = this.second!.comparison.first[i]!;
    const place = (trace: TraceInfo) => ({ process: trace.processes.indexOf(process), rank: event });
    if (a) await this.pick(place(this.trace!), 'approach');
    else await this.pickInSecond(place(this.second!.trace), 'approach');
  }

  // The page itself.

  openTab(tab: Tab): void {
    if (!tabs.some(([known]) => known === tab)) return;
    this.tab = tab;
    if (tab === 'races' && !this.races) void this.source.races().then((races) => (this.races = races), (error) => this.fail(error));
    this.linkLater();
  }

  painted({ tile, overview }: Painted): void {
    this.tile = tile;
    this.overview = overview;
  }

  viewChanged(view: Extent): void {
    this.view = view;
    if (this.minimap) this.minimap.view = view;
    if (this.secondDiagram) this.follow(this.secondDiagram, view);
    this.linkLater();
  }

  toggleTheme(): void {
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
        groups: this.choice.own,
        tab: this.tab === 'event' ? null : this.tab,
      },
      trace,
    );
  }

  /** Rows as an address says. */
  private async chooseLinked(link: Permalink): Promise<void> {
    this.choice = {
      order: link.order ?? 'file',
      hidden: new Set(link.hidden),
      groups: allGroups(this.trace!.processes, this.properties.groups, link.groups),
      collapsed: new Set(link.collapsed),
      own: link.groups,
    };
    await this.arrange();
  }

  /** What an address says beyond axis and rows. */
  private async show(link: Permalink): Promise<void> {
    if (link.view) this.diagram.look(link.view);
    if (!samePlace(link.event, this.selection)) await this.pick(link.event, 'reveal');
    if (link.cut) await this.askCut({ want: 'above', ranks: link.cut }, true);
    else this.cut = null;
    const search = link.search ?? { kind: 'any' as const, words: '' };
    if (search.kind !== this.search.kind || search.words !== this.search.words) await this.find(search, 0);
    if (link.tab) this.openTab(link.tab as Tab);
    const text = link.properties ?? this.trace!.properties;
    if (text === this.properties.text) return;
    this.properties.text = text;
    void this.properties.check();
  }

  /** The user changed the address: shows what it says. By now it may have been written again. */
  private async followLink(hash: string): Promise<void> {
    if (hash.slice(1) === this.permalink()) return;
    window.clearTimeout(this.linkTimer);
    this.linkTimer = 0;
    const link = readPermalink(hash, this.trace!);
    if (link.axis && link.axis !== this.axis!.kind) await this.setAxis(link.axis);
    await this.chooseLinked(link);
    if (!link.view) this.diagram.fit();
    await this.show(link);
  }
}
