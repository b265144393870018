internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

struct RedirectPlaceTests {
  private func kind(_ uri: String?) throws -> String {
    switch try RedirectPlace(uri) {
    case .port: "port"
    case .typed: "typed"
    case .elsewhere: "elsewhere"
    }
  }

  @Test(arguments: [
    (nil, "port"), ("http://127.0.0.1:0/back", "port"), ("oob", "typed"),
    ("urn:ietf:wg:oauth:2.0:oob", "typed"), ("screens://callback", "elsewhere"),
    ("com.example.app:/callback", "elsewhere"), ("https://app.example/back", "elsewhere"),
    ("http://127.0.0.1.example/back", "elsewhere"), ("http://localhost:8080/", "elsewhere"),
  ])
  func `a redirect goes to a port, a person or elsewhere`(
    _ uri: String?, _ expected: String
  ) throws {
    #expect(try kind(uri) == expected)
  }

  @Test(arguments: ["", "OOB", "callback", "://x", "1a:/x", "a b:/x", "a:/x y", "a:/ü"])
  func `what is no URI is refused`(_ uri: String) {
    #expect(throws: UsageError.self) { try RedirectPlace(uri) }
  }

  @Test(arguments: ["http://127.0.0.1:0/back?x=1", "http://127.0.0.1:70000/"])
  func `what cannot be listened on is refused`(_ uri: String) throws {
    let error = try #require(throws: GatebookError.self) { try RedirectPlace(uri) }
    #expect(error.code == .configurationInvalid)
  }
}
