import Gatebook
import GatebookFleet
import Testing

struct FleetAddressTests {
  @Test func `a URL with a password is refused, and not repeated`() throws {
    let error = #expect(throws: GatebookError.self) {
      try FleetAddress("postgresql://ada:hunter2@fleet.example/sessions")
    }
    #expect(error?.code == .configurationInvalid)
    #expect(error?.description.contains("hunter2") == false)
  }
}
