internal import GatebookAuthentication
internal import Testing

@Suite struct HTTPURLMutationTests {
  private static let samples = [
    "http://example.com/", "https://user@example.com:8443/a/b;c?d=e#f", "http://127.0.0.1:80",
    "http://[2001:db8::1:192.0.2.1]:81/..", "//h/x/../y", "?q", "../a/./%2e%2E/b%20c", "/a//b",
  ]

  @Test(arguments: Mutations.seeds)
  func `a damaged URL is refused or has one text`(_ seed: UInt64) throws {
    let base = try #require(HTTPURL("https://h/a/b?c"))
    for bytes in Mutations(of: Self.samples, marks: "/:?#[]@%.\\;", seed: seed) {
      let text = String(decoding: bytes, as: UTF8.self)
      for url in [HTTPURL(text), base.resolve(text)] {
        guard let url else { continue }
        #expect(HTTPURL(url.description) == url, "\(text)")
        #expect(url.description.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(text)")
        #expect(url.path.hasPrefix("/") && !url.origin.host.isEmpty, "\(text)")
      }
    }
  }
}
