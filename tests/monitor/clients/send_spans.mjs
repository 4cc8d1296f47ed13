// Sends traces by the exporters of the OpenTelemetry SDK for Node: over gRPC, and over HTTP as protocol buffers and JSON.
// Usage: node send_spans.mjs GRPC-PORT HTTP-PORT. Prints a line `EXPORTER TRACE-ID` for each trace.
import { context, trace, SpanKind } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';

const [grpcPort, httpPort] = process.argv.slice(2);
const overHttp = { url: `http://127.0.0.1:${httpPort}/v1/traces` };
const exporters = {
  grpc: () => new GrpcExporter({ url: `http://127.0.0.1:${grpcPort}` }),
  protobuf: () => new ProtobufExporter(overHttp),
  json: () => new JsonExporter(overHttp),
};

// A shop that pays without asking, and a bank that charges.
const sendTrace = async (makeExporter, isAuthorised) => {
  const providers = ['shop', 'bank'].map(
    (service) =>
      new BasicTracerProvider({
        resource: resourceFromAttributes({ 'service.name': service }),
        spanProcessors: [new BatchSpanProcessor(makeExporter())],
      }),
  );
  const [shop, bank] = providers.map((provider) => provider.getTracer('clients'));
  const order = shop.startSpan('order');
  const inOrder = trace.setSpan(context.active(), order);
  if (isAuthorised) shop.startSpan('authorise', {}, inOrder).end();
  const pay = shop.startSpan('pay', { kind: SpanKind.CLIENT }, inOrder);
  const inPay = trace.setSpan(context.active(), pay);
  bank.startSpan('charge', { kind: SpanKind.SERVER }, inPay).end();
  pay.end();
  order.end();
  for (const provider of providers) await provider.shutdown();
  return order.spanContext().traceId;
};

for (const [name, makeExporter] of Object.entries(exporters)) {
  console.log(`${name} ${await sendTrace(makeExporter, false)}`);
}
console.log(`authorised ${await sendTrace(exporters.grpc, true)}`);
