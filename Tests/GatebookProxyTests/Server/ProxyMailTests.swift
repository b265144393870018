internal import Testing

@testable internal import GatebookProxy

/// The proxy's thread waits only while there is nothing to do.
struct ProxyMailTests {
  private let mail: ProxyMail

  init() throws { mail = try #require(ProxyMail()) }

  @Test func `what comes between two waits is not slept over`() {
    #expect(mail.fallsAsleep())
    let letters: [(ProxyMail) -> Void] = [{ $0.post(3) }, { $0.end() }]
    for send in letters {
      _ = mail.take()
      send(mail)
      #expect(!mail.fallsAsleep())
    }
    #expect(mail.take().isEnding)
    #expect(!mail.take().isEnding, "The end is told once.")
    #expect(mail.fallsAsleep())
  }
}
