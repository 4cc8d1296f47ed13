// Starts OpenTelemetry in a service: its own instrumentation, exported as OTLP JSON and as Zipkin.
'use strict';
const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');
const { BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const { resourceFromAttributes } = require('@opentelemetry/resources');
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { GrpcInstrumentation } = require('@opentelemetry/instrumentation-grpc');
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http');
const { ZipkinExporter } = require('@opentelemetry/exporter-zipkin');

exports.start = (service) => {
  const collector = process.env.COLLECTOR;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.instance.id': `${service}-1`,
    }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${collector}/v1/traces` })),
      new BatchSpanProcessor(new ZipkinExporter({ url: `${collector}/api/v2/spans` })),
    ],
  });
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [new HttpInstrumentation(), new GrpcInstrumentation()],
  });
  process.on('SIGTERM', async () => {
    await provider.shutdown();
    process.exit(0);
  });
  return provider.getTracer('lightcone-example');
};
