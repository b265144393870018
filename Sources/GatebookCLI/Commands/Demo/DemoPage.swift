internal import Gatebook
internal import GatebookCurl
internal import GatebookLoginPage
internal import GatebookSystem

/// The login page on a built-in portal: a person logs in on it, and nothing remains.
@MainActor struct DemoPage {
  private let stage: DemoStage
  private let call: Call
  private let folder: String

  /// Prepares the page.
  ///
  /// - Parameters:
  ///   - stage: Shows what happens.
  ///   - folder: The folder of the book.
  ///   - call: The command, which names the theme.
  init(on stage: DemoStage, in folder: String, _ call: Call) {
    self.stage = stage
    self.folder = folder
    self.call = call
  }

  /// Shows the page until the person has logged in on it.
  func show() async throws {
    try stage.begin("A Liferay portal starts on this machine.")
    let servers = try DemoServers()
    defer { servers.stop() }
    let user = try servers.text("portalUser")
    stage.show([
      try servers.text("portal"), "email address  \(user)",
      "password       \(try servers.text("portalPassword"))",
    ])
    let book = try await SessionBook.open(
      at: "\(folder)/demo.gatebook", key: AutomaticKey(folder: "\(folder)/gatebook/keys"),
      program: Program(
        name: "gatebook", version: CommandTable.version,
        installation: Installation.identity(in: "\(folder)/gatebook")),
      transport: CurlTransport(), suffixes: PublicSuffixList(), renewalPolicy: .beforeUse)
    do {
      try stage.begin("The login page opens. Try a wrong password first.")
      let form = LoginForm.liferay(
        LiferayPortal(server: try servers.url("portal"), companyID: servers.company))
      let context = try await call.onLoginPage { page throws(GatebookError) in
        try await page.logIn(form, in: book)
      }
      stage.showLogin(of: context)
    } catch {
      await book.close()
      throw error
    }
    await book.close()
  }
}
