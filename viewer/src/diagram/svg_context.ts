// Takes the calls that the painters make of a canvas, and writes them as SVG.

interface Style {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  dash: number[];
  clip: string;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}

/** The part of CanvasRenderingContext2D that the painters use. */
export class SvgContext {
  fillStyle = '#000';
  strokeStyle = '#000';
  lineWidth = 1;
  lineCap = 'butt';
  lineJoin = 'miter';
  globalAlpha = 1;
  font = '12px sans-serif';
  textAlign = 'left';
  textBaseline = 'alphabetic';
  imageSmoothingEnabled = false;
  private dash: number[] = [];
  private clipName = '';
  private path = '';
  private elements: string[] = [];
  private saved: Style[] = [];
  private clips = 0;
  private readonly ruler = document.createElement('canvas').getContext('2d')!;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly prefix: string, // of names, which are unique in a document
  ) {}

  beginPath(): void {
    this.path = '';
  }
  moveTo(x: number, y: number): void {
    this.path += `M${number(x)} ${number(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.path += `${this.path ? 'L' : 'M'}${number(x)} ${number(y)}`;
  }
  closePath(): void {
    this.path += 'Z';
  }
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.path += `Q${number(cx)} ${number(cy)} ${number(x)} ${number(y)}`;
  }
  /** Only whole circles are drawn. */
  arc(x: number, y: number, r: number): void {
    this.path += `M${number(x + r)} ${number(y)}a${number(r)} ${number(r)} 0 1 0 ${number(-2 * r)} 0a${number(r)} ${number(r)} 0 1 0 ${number(2 * r)} 0Z`;
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.path += `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}Z`;
  }
  roundRect(x: number, y: number, width: number, height: number): void {
    this.rect(x, y, width, height);
  }
  setLineDash(dash: number[]): void {
    this.dash = dash;
  }
  fill(): void {
    if (this.path) this.add(`<path d="${this.path}" fill="${this.fillStyle}"${this.alpha()}/>`);
  }
  stroke(): void {
    if (!this.path) return;
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(' ')}"` : '';
    this.add(
      `<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${number(this.lineWidth)}" stroke-linejoin="${this.lineJoin}" stroke-linecap="${this.lineCap}"${dash}${this.alpha()}/>`,
    );
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.add(
      `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${this.fillStyle}"${this.alpha()}/>`,
    );
  }
  fillText(text: string, x: number, y: number): void {
    this.text(text, x, y, `fill="${this.fillStyle}"`);
  }
  strokeText(text: string, x: number, y: number): void {
    this.text(text, x, y, `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round"`);
  }
  measureText(text: string): TextMetrics {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }
  /** A bitmap stays a bitmap. */
  drawImage(
    image: HTMLCanvasElement,
    sx: number, sy: number, sw: number, sh: number,
    dx: number, dy: number, dw: number, dh: number,
  ): void {
    if (!(sw > 0 && sh > 0)) return;
    this.add(
      `<svg x="${number(dx)}" y="${number(dy)}" width="${number(dw)}" height="${number(dh)}" viewBox="${sx} ${sy} ${sw} ${sh}" preserveAspectRatio="none"><image href="${image.toDataURL()}" width="${image.width}" height="${image.height}" style="image-rendering:pixelated"/></svg>`,
    );
  }
  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash } = this;
    this.saved.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash, clip: this.clipName });
  }
  restore(): void {
    const { clip, dash, ...style } = this.saved.pop()!;
    Object.assign(this, style);
    this.dash = dash;
    if (clip !== this.clipName) this.elements.push('</g>');
    this.clipName = clip;
  }
  clip(): void {
    this.clipName = `${this.prefix}${++this.clips}`;
    this.elements.push(
      `<clipPath id="${this.clipName}"><path d="${this.path}"/></clipPath><g clip-path="url(#${this.clipName})">`,
    );
  }

  /** All of it, so far below the top of a document. */
  element(top: number): string {
    return `<svg y="${number(top)}" width="${this.width}" height="${this.height}">\n${this.elements.join('\n')}\n</svg>`;
  }

  private alpha(): string {
    return this.globalAlpha < 1 ? ` opacity="${number(this.globalAlpha)}"` : '';
  }
  private add(element: string): void {
    this.elements.push(element);
  }
  private text(text: string, x: number, y: number, paint: string): void {
    const [, weight = '', size = '12', family = 'sans-serif'] = /^(bold )?(\d+)px (.*)$/.exec(this.font) ?? [];
    const anchor = this.textAlign === 'center' ? ' text-anchor="middle"' : '';
    const shift = this.textBaseline === 'middle' ? Number(size) * 0.35 : 0;
    this.add(
      `<text x="${number(x)}" y="${number(y + shift)}" font-size="${size}" font-family="${escaped(family)}"${weight ? ' font-weight="bold"' : ''}${anchor} ${paint}${this.alpha()}>${escaped(text)}</text>`,
    );
  }
}
