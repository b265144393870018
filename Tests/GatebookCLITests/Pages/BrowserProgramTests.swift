internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

struct BrowserProgramTests {
  private func lines(_ environment: [String: String]) throws -> [[String]] {
    let page = try #require(HTTPURL("https://portal.example/page?state=a%20b"))
    return BrowserProgram.lines(
      page, Surroundings(environment: environment, clock: FixedClock(), zone: .utc))
  }

  @Test func `without a desktop there is no browser, with one it is the desktop's`() throws {
    let url = "https://portal.example/page?state=a%20b"
    #expect(try lines([:]) == [])
    #expect(try lines(["DISPLAY": ":0"]) == [["xdg-open", url]])
    #expect(try lines(["WAYLAND_DISPLAY": "wayland-0", "BROWSER": ""]) == [["xdg-open", url]])
  }

  @Test func `the environment's browsers are tried in turn, without a shell`() throws {
    let url = "https://portal.example/page?state=a%20b"
    #expect(
      try lines(["BROWSER": "w3m::firefox --new-window:see --url=%s now", "DISPLAY": ":0"]) == [
        ["w3m", url], ["firefox", "--new-window", url], ["see", "--url=\(url)", "now"],
      ])
  }
}
