internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct BasicCredentialsTests {
  private static let refusal = GatebookError(.configurationInvalid, "", remedy: "")

  @Test func `the recorded headers are reproduced`() throws {
    let samples = try #require(Fixture.read(PackageResources.basic_auth_headers_json).list)
    #expect(samples.count == 5)
    for sample in samples {
      let facts = try #require(sample.object)
      let user = try #require(facts["username"]?.text)
      let password = try #require(facts["password"]?.text)
      if user.contains(":") {
        #expect(throws: Self.refusal) { try BasicCredentials(user: user, password: password) }
      } else {
        let field = try BasicCredentials(user: user, password: password).field
        #expect(field.name == "Authorization")
        #expect(field.value == facts["header"]?.text)
      }
    }
  }

  @Test func `the vectors of RFC 7617 hold`() throws {
    let vectors = Fixture.read(PackageResources.rfc_vectors_json).object?["rfc7617"]?.list
    for vector in try #require(vectors) {
      let facts = try #require(vector.object)
      let credentials = try BasicCredentials(
        user: try #require(facts["user"]?.text), password: try #require(facts["password"]?.text))
      #expect(credentials.field.value == facts["header"]?.text)
    }
  }

  @Test(arguments: [
    ("a:b", "c"), (":", ""), ("a\u{0}", "c"), ("a\n", "c"), ("a\r\nb", "c"), ("a", "c\u{7F}"),
    ("a", "c\t"), ("a", "\u{1F}"),
  ])
  func `what Basic cannot carry is refused before it is sent`(
    _ user: String, _ password: String
  ) {
    #expect(throws: Self.refusal) { try BasicCredentials(user: user, password: password) }
  }

  @Test func `a refusal shows neither name nor password`() {
    let error = #expect(throws: GatebookError.self) {
      try BasicCredentials(user: "CANARY:", password: "CANARY")
    }
    #expect(error?.description.contains("CANARY") == false)
  }

  @Test(arguments: [("", "", "Og=="), ("a", "", "YTo="), ("", "b", "OmI="), ("a", ":", "YTo6")])
  func `empty parts and colons in the password are fine`(
    _ user: String, _ password: String, _ text: String
  ) throws {
    #expect(try BasicCredentials(user: user, password: password).field.value == "Basic \(text)")
  }
}
