internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct FormEncodingTests {
  @Test func `the recorded bodies are reproduced`() throws {
    let samples = try #require(Fixture.read(PackageResources.cookie_login_form_bodies_json).list)
    #expect(samples.count == 3)
    for sample in samples {
      let facts = try #require(sample.object)
      let pairs = try ["login", "password"].map { (name: $0, value: try #require(facts[$0]?.text)) }
      #expect(String(decoding: FormEncoding.encode(pairs), as: UTF8.self) == facts["body"]?.text)
    }
  }

  @Test func `only letters, digits and four marks stay`() {
    let all = String(decoding: (0..<128).map { UInt8($0) }, as: UTF8.self)
    let kept = "*-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    let body = FormEncoding.encode([(name: all, value: "")])
    let plain = body.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
      .enumerated().flatMap { $0.offset == 0 ? $0.element : $0.element.dropFirst(2) }
    #expect(String(decoding: plain, as: UTF8.self) == kept + "=")
    #expect(body.count(where: { $0 == UInt8(ascii: "%") }) == 128 - kept.utf8.count)
  }

  @Test(arguments: [
    ([], ""), ([("a", "")], "a="), ([("", "b")], "=b"), ([("a", "1"), ("a", "2")], "a=1&a=2"),
    ([("~", "/?\u{1F511}")], "%7E=%2F%3F%F0%9F%94%91"), ([("a\r\n", "\u{0}")], "a%0D%0A=%00"),
  ])
  func `pairs keep their order`(_ pairs: [(String, String)], _ expected: String) {
    let body = FormEncoding.encode(pairs.map { (name: $0.0, value: $0.1) })
    #expect(String(decoding: body, as: UTF8.self) == expected)
  }
}
