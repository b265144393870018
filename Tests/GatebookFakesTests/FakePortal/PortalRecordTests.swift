import GatebookFakes
import Testing

/// What the portal tells about a user, release by release.
@Suite struct PortalRecordTests {
  private func expected(_ version: FakePortalVersion) -> String {
    let quote = version == .v62 ? "" : "\""
    let reference = version.rawValue >= 72 ? #""externalReferenceCode":"","# : ""
    let google = version.rawValue >= 71 ? #""googleUserId":"","# : ""
    let revision = version == .v62 ? "" : #""mvccVersion":"7","#
    return #"""
      [{"agreedToTermsOfUse":true,"comments":"","companyId":\#(quote)10154\#(quote),
      "contactId":\#(quote)10202\#(quote),"createDate":1413408478000,"defaultUser":false,
      "emailAddress":"ada@portal.example.test","emailAddressVerified":true,\#(reference)
      "facebookId":\#(quote)0\#(quote),"failedLoginAttempts":0,"firstName":"Ada",\#(google)
      "graceLoginCount":0,"greeting":"Welcome Ada Example!","jobTitle":"","languageId":"en_US",
      "lastFailedLoginDate":null,"lastLoginDate":1427299352000,"lastLoginIP":"127.0.0.1",
      "lastName":"Example","ldapServerId":\#(quote)-1\#(quote),"lockout":false,
      "lockoutDate":null,"loginDate":1427372894000,"loginIP":"127.0.0.1","middleName":"",
      "modifiedDate":1413408478000,\#(revision)"openId":"","portraitId":\#(quote)14809\#(quote),
      "reminderQueryAnswer":"SECRET-ANSWER",
      "reminderQueryQuestion":"what-is-your-father's-middle-name","screenName":"ada","status":0,
      "timeZoneId":"UTC","userId":\#(quote)123456\#(quote),
      "uuid":"a16f9d4a-9012-4eee-a42b-00000001e240"}]
      """#.split(separator: "\n").joined()
  }

  @Test(arguments: FakePortalVersion.allCases)
  func `a record has the keys and the kinds of numbers of its release`(
    _ version: FakePortalVersion
  ) throws {
    let portal = try startedPortal(version)
    let ada = FakePortalUser.ada
    let answer = try #require(
      Visitor(portal).call(Call.byEmail(ada), as: ada.emailAddress, ada.password))
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "application/json;charset=UTF-8")
    #expect(answer.text == expected(version))
    let seen = try #require(portal.requests.first)
    #expect(seen.userID == ada.userID)
    #expect(seen.scheme == .basic)
    #expect(seen.status == 200)
  }

  @Test func `all commands that name a user bring the same record`() throws {
    let portal = try startedPortal()
    let ada = FakePortalUser.ada
    let calls = [
      Call.byEmail(ada), Call.byScreenName(ada), Call.byID(ada.userID), Call.currentUser,
    ]
    for name in [ada.emailAddress, ada.screenName, String(ada.userID)] {
      let texts = calls.map { Visitor(portal).call($0, as: name, ada.password)?.text }
      #expect(Set(texts) == [expected(.v73)])
    }
  }

  @Test(arguments: [(FakePortalVersion.v62, "10154"), (.v70, "\"10154\"")])
  func `sites tell the portal instance`(_ version: FakePortalVersion, _ company: String) throws {
    let portal = try startedPortal(version)
    let ada = FakePortalUser.ada
    let answer = Visitor(portal).call(Call.sites, as: ada.screenName, ada.password)
    #expect(answer?.text.contains("\"companyId\":\(company),") == true)
    #expect(answer?.text.hasPrefix("[[{") == true)
  }

  @Test func `a bare object is answered with a bare object, an empty batch with an empty one`()
    throws
  {
    let portal = try startedPortal()
    let ada = FakePortalUser.ada
    let bare = String(Call.currentUser.dropFirst().dropLast())
    let visitor = Visitor(portal)
    #expect(
      visitor.call(bare, as: "ada", ada.password)?.text
        == String(expected(.v73).dropFirst().dropLast()))
    #expect(visitor.call("[]", as: "ada", ada.password)?.text == "[]")
  }

  @Test func `an administrator may read others and a changed user reads changed`() throws {
    let portal = try startedPortal()
    portal.change(FakePortalUser.ada.userID) { $0.jobTitle = "Countess" }
    let answer = Visitor(portal).call(
      Call.byID(FakePortalUser.ada.userID), as: "cleo", FakePortalUser.cleo.password)
    #expect(answer?.text.contains(#""jobTitle":"Countess""#) == true)
  }

  @Test func `a wrong user ID is returned as often as set`() throws {
    let portal = try startedPortal()
    let ada = FakePortalUser.ada
    portal.inject(.misreport(999), on: .invoke, times: 2)
    let visitor = Visitor(portal)
    #expect(visitor.call(Call.sites, as: "ada", ada.password)?.text.contains("999") == false)
    let texts = (1...2).map { _ in visitor.call(Call.currentUser, as: "ada", ada.password)?.text }
    #expect(texts[0]?.contains(#""userId":"999""#) == true)
    #expect(texts[1] == expected(.v73))
  }
}
