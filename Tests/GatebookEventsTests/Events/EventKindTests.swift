import GatebookEvents
import Testing

@Suite struct EventKindTests {
  @Test(arguments: EventKind.allCases)
  func `the table of kinds agrees with itself`(_ kind: EventKind) {
    let traits = kind.traits
    #expect(kind.version == 1)
    #expect(traits.facts.kind == kind)
    // Nobody waits for how a run of a proxy ends.
    #expect(
      traits.start.map { $0.traits.parts.contains(.begins) || $0 == .proxyStarted } != false)
    #expect(!traits.parts.contains(.failure) || traits.mark == .failure)
    #expect(traits.parts.isDisjoint(with: .begins) || traits.parts.isDisjoint(with: .ends))
  }

  @Test func `the reasons of an end are frozen`() {
    #expect(
      EndReason.allCases.map(\.rawValue) == [
        "expired", "refused", "refusedWithoutReason", "refusedAfterUnknownOutcome",
        "offlineTooLong", "revokedByServer", "secretMissing", "identityMismatch", "user",
        "policy", "erased", "replaced",
      ])
  }
}
