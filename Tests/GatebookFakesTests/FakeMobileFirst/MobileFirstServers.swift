import Gatebook
import GatebookFakes
import GatebookTestSupport

/// A started server and a device that is registered with it.
func startedServer(
  _ application: FakeMobileFirstApplication = .sample, registers: Bool = true,
  _ change: (inout FakeMobileFirstSwitches) -> Void = { _ in }
) throws -> MobileFirstDevice {
  var switches = FakeMobileFirstSwitches()
  change(&switches)
  // The moment of the protocol notes' transcript.
  let clock = FixedClock(
    Moment(wall: Timestamp(rawValue: 1_455_803_338_008_000), boot: .seconds(1000)))
  let server = try FakeMobileFirstServer(
    application: application, switches: switches, clock: clock)
  try server.start()
  let device = MobileFirstDevice(server, clock)
  if registers { device.register() }
  return device
}
