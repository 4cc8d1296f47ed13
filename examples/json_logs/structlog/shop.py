"""The same shop, with structlog: `python3 shop.py > shop.log`."""
import structlog

structlog.configure(processors=[
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.JSONRenderer(),
])
gateway, payment, warehouse = (
    structlog.get_logger().bind(service={"name": name}) for name in ("gateway", "payment", "warehouse"))


def call(sender, receiver, message):
    sender.info("message_out", message=message)
    receiver.info("message_in", message=message)


def charge(order):
    payment.info("message_in", message=f"charge-{order}")
    payment.info("paid", order=order, amount=10.0 * order)
    payment.info("message_out", message=f"charged-{order}")


# An ordinary order: the warehouse is asked when the payment has answered.
gateway.info("ordered", order=1)
gateway.info("message_out", message="charge-1")
charge(1)
gateway.info("message_in", message="charged-1")
call(gateway, warehouse, "ship-1")
warehouse.info("shipped", order=1)

# An express order: nothing waits for the payment, which is fast enough today.
gateway.info("ordered", order=2, express=True)
gateway.info("message_out", message="charge-2")
gateway.info("message_out", message="ship-2")
charge(2)
warehouse.info("message_in", message="ship-2")
warehouse.info("shipped", order=2)
gateway.info("message_in", message="charged-2")
