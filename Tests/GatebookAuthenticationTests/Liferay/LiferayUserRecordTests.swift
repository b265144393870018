internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayUserRecordTests {
  private func attributes(
    _ record: String, _ version: LiferayPortal.Version = .v7
  ) throws -> UserAttributes {
    let method = LoginMethod.liferay(
      try PortalLogin.portal(version),
      .basic(.userID(123_456), password: Secret("rabbit"), verifyIdentity: false))
    return try Dialogue.outcome(of: method, .json(200, "[\(record)]")).attributes
  }

  @Test
  func `the secrets of a person are dropped on arrival`() throws {
    for record in [PortalFixture.userV62, PortalFixture.userV7] {
      let attributes = try attributes(record)
      #expect(!attributes.names.contains { $0.hasPrefix("reminderQuery") })
      #expect(!attributes.facts.encodedText.contains("SECRET-ANSWER"))
    }
  }

  @Test
  func `unknown keys are kept and nested values become JSON text`() throws {
    let attributes = try attributes(
      "{\"userId\":123456,\"shoeSize\":43,\"pets\":[\"cat\",{\"name\":\"dog\"}],\"note\":null}")
    #expect(attributes.facts["shoeSize"] == .integer(43))
    #expect(attributes.facts["pets"] == .text("[\"cat\",{\"name\":\"dog\"}]"))
    #expect(attributes.facts["note"] == .null)
  }

  @Test(arguments: ["", "12x", "99999999999999999999"])
  func `a number that is none stays what it was`(_ text: String) throws {
    let attributes = try attributes("{\"userId\":123456,\"facebookId\":\"\(text)\"}")
    #expect(attributes.facts["facebookId"] == .text(text))
  }

  @Test(arguments: ["\"12x\"", "\"\"", "null", "0", "-1", "true", "1.5", "[1]"])
  func `a user id that is no number above 0 is no login`(_ id: String) throws {
    #expect(throws: GatebookError(.contentUnexpected, "", remedy: "")) {
      _ = try attributes("{\"userId\":\(id)}")
    }
  }
}
