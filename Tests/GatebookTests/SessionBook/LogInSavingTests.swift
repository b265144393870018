import Gatebook
import GatebookTestSupport
import Testing

@Suite struct LogInSavingTests {
  @Test(arguments: [true, false])
  func `the short login labels the account, and saves the chosen credentials`(
    _ isSaving: Bool
  ) async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic(), label: "work", saving: isSaving)
    #expect(ada.label == .known("work"))
    #expect(ada.id == ada.account)
    #expect(try await book.hasSavedLogin(ada.account) == isSaving)
  }

  @Test func `each parameter of the options is the property of its name`() throws {
    #expect(LoginOptions().saveCredentials == false)
    #expect(LoginOptions().keepsTrust && LoginOptions().becomesCurrent)
    let origin = try #require(HTTPURL("https://files.example")?.origin)
    let trust = Trust.authorities(file: "/etc/ca.pem")
    let options = LoginOptions(
      label: "work", saveCredentials: true, account: AccountID(high: 1, low: 2),
      allowsCleartext: true, origins: [origin], trust: trust, keepsTrust: false,
      notes: ["a": "b"], becomesCurrent: false, redirectLimit: .seconds(7),
      offlineLimit: .seconds(8))
    var other = LoginOptions()
    other.label = "work"
    other.saveCredentials = true
    other.account = AccountID(high: 1, low: 2)
    other.allowsCleartext = true
    other.origins = [origin]
    other.trust = trust
    other.keepsTrust = false
    other.notes = ["a": "b"]
    other.becomesCurrent = false
    other.redirectLimit = .seconds(7)
    other.offlineLimit = .seconds(8)
    #expect(options == other)
  }
}
