internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

extension Scene {
  /// The command line of a login on the portal's page, by OAuth 2.
  func pageLogin(_ more: String...) -> [String] {
    ["login", "liferay", "--server", portal.url, "--mode", "oauth2-redirect", "--client-id"]
      + ["gb-native", "--no-browser"] + more
  }

  /// Registers the redirect URI that a page names at the portal: the port was chosen by the
  /// program.
  func registerRedirect(of page: String) throws {
    let url = try #require(HTTPURL(page))
    let fields = try #require(FormFields(decoding: Array((url.query ?? "").utf8)))
    portal.applications = [
      FakePortalApplication(
        "gb-native", grants: [.authorizationCode, .refreshToken],
        redirectURIs: [try #require(fields["redirect_uri"])])
    ]
  }

  /// Where the portal sends the browser of somebody who visits a page.
  func redirect(
    of page: String, _ user: FakePortalUser = .ada, _ decision: PortalVisitor.Decision = .approve,
    isOpened: Bool = true
  ) async throws -> String {
    let ending = try await PortalVisitor(user).visit(page, decision, opensRedirect: isOpened)
    guard case .redirected(let url) = ending else {
      Issue.record("the visit ended with \(ending)")
      return ""
    }
    return url
  }

  /// Writes a file that only its owner can read.
  func secretFile(_ content: String, _ name: String = "secret") throws -> String {
    let path = "\(folder)/\(name)"
    try TextFile.write(Array(content.utf8), to: path)
    #expect(chmod(path, 0o600) == 0)
    return path
  }

  /// Writes a program for the shell.
  func script(_ text: String) throws -> String {
    let path = "\(folder)/script"
    try TextFile.write(Array("#!/bin/sh\n\(text)\n".utf8), to: path)
    #expect(chmod(path, 0o700) == 0)
    return path
  }
}
