// Turns OTLP JSON into what the query service of Jaeger answers, as Jaeger's documentation shows it.
// npm has no exporter that writes this: Jaeger's own speaks Thrift.
// Usage: node to_jaeger.cjs IN OUT
'use strict';
const fs = require('node:fs');

const kinds = { 2: 'server', 3: 'client', 4: 'producer', 5: 'consumer' };
const types = { stringValue: 'string', boolValue: 'bool', intValue: 'int64', doubleValue: 'float64' };

const tag = ({ key, value }) => {
  const [kind] = Object.keys(value);
  const known = kind in types;
  return { key, type: known ? types[kind] : 'string', value: known ? value[kind] : JSON.stringify(value) };
};
const microseconds = (nanoseconds) => Number(BigInt(nanoseconds) / 1000n);

const tagsOf = (span) => {
  const tags = span.attributes.map(tag);
  if (kinds[span.kind]) tags.push({ key: 'span.kind', type: 'string', value: kinds[span.kind] });
  if (span.status.code === 2) {
    tags.push({ key: 'error', type: 'bool', value: true });
    tags.push({ key: 'otel.status_code', type: 'string', value: 'ERROR' });
  }
  return tags;
};

const referencesOf = (span) => {
  const reference = (refType, { traceId, spanId }) => ({ refType, traceID: traceId, spanID: spanId });
  const parent = span.parentSpanId
    ? [reference('CHILD_OF', { traceId: span.traceId, spanId: span.parentSpanId })]
    : [];
  return [...parent, ...span.links.map((link) => reference('FOLLOWS_FROM', link))];
};

const logOf = (event) => ({
  timestamp: microseconds(event.timeUnixNano),
  fields: [{ key: 'event', type: 'string', value: event.name }, ...event.attributes.map(tag)],
});

const traces = new Map();
const add = (resource, span) => {
  if (!traces.has(span.traceId)) {
    traces.set(span.traceId, { traceID: span.traceId, spans: [], processes: {}, warnings: null });
  }
  const trace = traces.get(span.traceId);
  const service = resource.attributes.find(({ key }) => key === 'service.name').value.stringValue;
  const known = Object.entries(trace.processes).find(([, { serviceName }]) => serviceName === service);
  const processID = known ? known[0] : `p${Object.keys(trace.processes).length + 1}`;
  trace.processes[processID] = {
    serviceName: service,
    tags: resource.attributes.filter(({ key }) => key !== 'service.name').map(tag),
  };
  const startTime = microseconds(span.startTimeUnixNano);
  trace.spans.push({
    traceID: span.traceId,
    spanID: span.spanId,
    operationName: span.name,
    references: referencesOf(span),
    startTime,
    duration: microseconds(span.endTimeUnixNano) - startTime,
    tags: tagsOf(span),
    logs: span.events.map(logOf),
    processID,
    warnings: null,
  });
};

const [, , from, to] = process.argv;
for (const line of fs.readFileSync(from, 'utf8').split('\n').filter((text) => text)) {
  for (const { resource, scopeSpans } of JSON.parse(line).resourceSpans) {
    for (const { spans } of scopeSpans) for (const span of spans) add(resource, span);
  }
}
const answer = { data: [...traces.values()], total: 0, limit: 0, offset: 0, errors: null };
fs.writeFileSync(to, `${JSON.stringify(answer)}\n`);
