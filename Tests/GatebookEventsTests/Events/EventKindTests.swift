import GatebookEvents
import Testing

@Suite struct EventKindTests {
  @Test func `the kinds are frozen`() {
    #expect(
      EventKind.allCases.map(\.rawValue) == [
        "book.created", "book.migrated", "book.opened", "book.backedUp", "book.continued",
        "book.recovered", "key.changed",
        "account.added",
        "account.renamed", "account.switched", "account.erased", "login.started",
        "login.succeeded", "login.failed",
        "login.cancelled",
        "challenge.received", "challenge.answered", "challenge.cancelled", "challenge.failed",
        "check.succeeded", "token.granted", "token.cleared", "refresh.started",
        "refresh.succeeded", "refresh.failed", "refresh.deferred", "refresh.discarded",
        "refresh.adopted", "session.restored", "session.verified", "session.unverified",
        "session.expired",
        "session.uncertain", "session.ended", "logout.requested", "logout.completed",
        "revocation.queued", "revocation.succeeded", "revocation.failed", "credentials.saved",
        "credentials.loaded", "credentials.removed", "attributes.changed",
        "cookies.changed", "request.refused", "origin.allowed", "trust.decided",
        "registration.created", "registration.replaced", "registration.rejected", "clock.observed",
        "discovery.changed",
      ])
    #expect(EventKind.allCases.allSatisfy { $0.version == 1 })
  }

  @Test(arguments: EventKind.allCases)
  func `the table of kinds agrees with itself`(_ kind: EventKind) {
    let traits = kind.traits
    #expect(traits.facts.kind == kind)
    #expect(traits.start.map { $0.traits.parts.contains(.begins) } != false)
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
