// Command foreign-collector is an OpenTelemetry Collector. It receives OTLP over HTTP at the address of its argument, and prints what
// it has received as lines of OTLP in JSON.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry"
)

const config = `yaml:
receivers: {otlp: {protocols: {http: {endpoint: "%s"}}}}
exporters: {lines: {}}
service: {pipelines: {traces: {receivers: [otlp], exporters: [lines]}}}
`

// lines is the exporter.
type lines struct {
	component.StartFunc
	component.ShutdownFunc
}

func (lines) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (lines) ConsumeTraces(_ context.Context, spans ptrace.Traces) error {
	line, err := (&ptrace.JSONMarshaler{}).MarshalTraces(spans)
	fmt.Printf("%s\n", line)
	return err
}

func noSettings() component.Config { return &struct{}{} }

func factories() (otelcol.Factories, error) {
	otlpType, linesType := component.MustNewType("otlp"), component.MustNewType("lines")
	makeLines := func(context.Context, exporter.Settings, component.Config) (exporter.Traces, error) {
		return lines{}, nil
	}
	linesFactory := exporter.NewFactory(linesType, noSettings, exporter.WithTraces(makeLines, component.StabilityLevelStable))
	return otelcol.Factories{
		Receivers: map[component.Type]receiver.Factory{otlpType: otlpreceiver.NewFactory()},
		Exporters: map[component.Type]exporter.Factory{linesType: linesFactory},
		// The collector records nothing about itself: the usual factory, otelconftelemetry, needs 44 modules more.
		Telemetry: telemetry.NewFactory(noSettings),
	}, nil
}

func main() {
	settings := otelcol.CollectorSettings{Factories: factories}
	settings.ConfigProviderSettings.ResolverSettings = confmap.ResolverSettings{
		URIs:              []string{fmt.Sprintf(config, os.Args[1])},
		ProviderFactories: []confmap.ProviderFactory{yamlprovider.NewFactory()},
	}
	collector, err := otelcol.NewCollector(settings)
	if err == nil {
		err = collector.Run(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
}
