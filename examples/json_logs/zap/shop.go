// The same shop, with zap: `go run shop.go > shop.log`.
package main

import (
	"fmt"

	"go.uber.org/zap"
)

func service(name string) *zap.Logger {
	config := zap.NewProductionConfig()
	config.OutputPaths = []string{"stdout"}
	config.DisableCaller = true
	config.Sampling = nil
	logger, err := config.Build()
	if err != nil {
		panic(err)
	}
	return logger.Named(name)
}

var gateway, payment, warehouse = service("gateway"), service("payment"), service("warehouse")

func send(from *zap.Logger, topic string, order int) {
	from.Info("publish", zap.String("topic", topic), zap.Int("key", order))
}

func receive(at *zap.Logger, topic string, order int) {
	at.Info("consume", zap.String("topic", topic), zap.Int("key", order))
}

func charge(order int) {
	receive(payment, "charge", order)
	payment.Info("paid", zap.Int("order", order), zap.Float64("amount", 10*float64(order)))
	send(payment, "charged", order)
}

func main() {
	fmt.Println("shop 1.4 starts") // a line that is no JSON, as many logs have
	gateway.Info("ordered", zap.Int("order", 1))
	send(gateway, "charge", 1)
	charge(1)
	receive(gateway, "charged", 1)
	send(gateway, "ship", 1)
	receive(warehouse, "ship", 1)
	warehouse.Info("shipped", zap.Int("order", 1))

	gateway.Info("ordered", zap.Int("order", 2), zap.Bool("express", true))
	send(gateway, "charge", 2)
	send(gateway, "ship", 2)
	charge(2)
	receive(warehouse, "ship", 2)
	warehouse.Info("shipped", zap.Int("order", 2))
	receive(gateway, "charged", 2)
}
