// What stands above and beside the diagram, as templates of the page.
import { html, nothing } from 'lit';
import type { Extent } from '../diagram/camera';
import type { RowChoice } from '../diagram/rows';
import { savePng, saveSvg } from '../diagram/save_picture';
import type { AxisInfo, AxisKind, Place, Race, RaceOther, SearchKind, TraceInfo } from '../trace/types';
import './comparison_panel';
import './cut_panel';
import './event_panel';
import type { PageElement } from './page_element';
import './processes_panel';
import './properties_panel';
import './races_panel';
import { alikeNote, type SecondRun } from './second_run';
import { tabs } from './tabs';
import './toolbar';

export function toolbarOf(page: PageElement, trace: TraceInfo, axis: AxisInfo) {
  const scenes = () => [page.diagram, page.secondDiagram].flatMap((diagram) => (diagram ? [diagram.scene()] : []));
  return html`<lightcone-toolbar .trace=${trace} .axis=${axis} .search=${page.search} .hits=${page.hits}
    .currentHit=${page.highlights.currentHit} ?exported=${page.source.exported} ?held=${page.isHeld} ?dark=${page.isDark}
    @axis=${(event: CustomEvent<AxisKind>) => void page.setAxis(event.detail)}
    @fit=${() => page.diagram.fit()}
    @zoom=${(event: CustomEvent<number>) => page.diagram.zoomBy(event.detail)}
    @search=${(event: CustomEvent<{ kind: SearchKind; words: string }>) => void page.find(event.detail)}
    @hit=${(event: CustomEvent<number>) => void page.nextHit(event.detail)}
    @hold=${() => (page.isHeld = !page.isHeld)}
    @save-svg=${() => saveSvg(scenes(), trace.name)}
    @save-png=${() => savePng(scenes(), trace.name)}
    @theme=${() => page.toggleTheme()}
    @help=${() => page.help.show()}></lightcone-toolbar>`;
}

/** The second run, below the first. */
export function secondStageOf(page: PageElement, second: SecondRun) {
  return html`<div class="run">${second.trace.name} <span class="soft">second run</span></div>
    <lightcone-diagram id="second" .source=${second.source} .trace=${second.trace} .axis=${second.axis}
      .rows=${second.rows} .palette=${page.palette} .selection=${page.secondSelection}
      .highlights=${second.highlights} .alike=${second.otherAlike} summary="second run"
      @view-changed=${(event: CustomEvent<Extent>) => page.follow(page.diagram, event.detail)}
      @scrolled=${(event: CustomEvent<number>) => page.diagram.scrollRowsTo(event.detail)}
      @pick=${(event: CustomEvent<Place | null>) => void page.pickInSecond(event.detail, 'stay')}></lightcone-diagram>`;
}

export function tabBarOf(page: PageElement) {
  return html`<nav role="tablist">
    ${tabs
      .filter(([tab]) => tab !== 'comparison' || page.second)
      .map(([tab, name]) => html`<button role="tab" aria-selected=${page.tab === tab} @click=${() => page.openTab(tab)}>${name}</button>`)}
  </nav>`;
}

function eventsOf(page: PageElement, trace: TraceInfo) {
  const { second } = page;
  const first = html`<lightcone-event-panel id="event" .trace=${trace} .event=${page.selection}
    note=${second ? alikeNote(second.alike, page.selection) : ''}
    nothing=${second && page.secondSelection ? 'This run has no such event.' : ''}
    @pick=${(event: CustomEvent<Place>) => void page.pick(event.detail, 'approach')}
    @walk=${(event: CustomEvent<string>) => void page.walk(event.detail, 1)}></lightcone-event-panel>`;
  if (!second) return first;
  return html`<h3>${trace.name}</h3>${first}<hr />
    <h3>${second.trace.name}</h3>
    <lightcone-event-panel id="second-event" .trace=${second.trace} .event=${page.secondSelection}
      note=${alikeNote(second.otherAlike, page.secondSelection)}
      nothing=${page.selection ? 'This run has no such event.' : 'Click an event of either run.'}
      @pick=${(event: CustomEvent<Place>) => void page.pickInSecond(event.detail, 'approach')}
      @walk=${(event: CustomEvent<string>) => void page.walk(event.detail, 2)}></lightcone-event-panel>`;
}

export function panelOf(page: PageElement, trace: TraceInfo) {
  const { second, properties } = page;
  const pick = (event: CustomEvent<Place>) => void page.pick(event.detail, 'approach');
  switch (page.tab) {
    case 'comparison':
      return second ? html`<lightcone-comparison-panel .comparison=${second.comparison}
        first=${trace.name} second=${second.trace.name}
        @difference=${(event: CustomEvent<number>) => void page.showDifference(event.detail)}></lightcone-comparison-panel>` : nothing;
    case 'cut':
      return html`<lightcone-cut-panel .trace=${trace} .cut=${page.cut}
        @cut-start=${() => void page.askCut({ want: 'above', ranks: trace.processes.map(() => 0) }, true)}
        @cut-selection=${() => void page.cutAtSelection()}
        @cut-previous=${() => void page.walkCut('previous')} @cut-next=${() => void page.walkCut('next')}
        @cut-clear=${() => page.clearCut()}
        @cut-step=${(event: CustomEvent<{ process: number; rank: number }>) => void page.stepCut(event.detail)}></lightcone-cut-panel>`;
    case 'properties':
      return html`<lightcone-properties-panel .trace=${trace} .text=${properties.text} .answer=${properties.answer}
        ?readonly=${page.source.exported} ?checking=${properties.isChecking} .shown=${properties.shown}
        .witness=${properties.witness} .step=${properties.step}
        @typed=${(event: CustomEvent<string>) => page.typed(event.detail)}
        @explain=${(event: CustomEvent<{ property: number; place: Place | null }>) => void page.explain(event.detail)}
        @play=${(event: CustomEvent<number>) => void page.play(Math.max(0, properties.step) + event.detail)}
        @pick=${pick}></lightcone-properties-panel>`;
    case 'races':
      return html`<lightcone-races-panel .trace=${trace} .races=${page.races}
        @race=${(event: CustomEvent<{ race: Race; other: RaceOther }>) => void page.showRace(event.detail)}
        @pick=${pick}></lightcone-races-panel>`;
    case 'processes':
      return html`<lightcone-processes-panel .trace=${trace} .choice=${page.choice}
        @choice=${(event: CustomEvent<RowChoice>) => void page.choose(event.detail)}></lightcone-processes-panel>`;
    default:
      return eventsOf(page, trace);
  }
}
