internal import Testing

@testable internal import GatebookCLI

struct NearMissTests {
  @Test(arguments: [
    ("same", "same", 0), ("", "abc", 3), ("abc", "", 3), ("whoami", "whoaim", 1),
    ("switch", "swtich", 1), ("log", "logs", 1), ("kitten", "sitting", 3),
  ])
  func `slips are counted`(_ left: String, _ right: String, _ slips: Int) {
    #expect(NearMiss.slips(from: left, to: right) == slips)
  }

  @Test(arguments: [
    ("whoaim", "whoami"), ("verfy", "verify"), ("chec", "checkpoint"), ("acounts", "accounts"),
  ])
  func `the nearest word is found`(_ word: String, _ meant: String) {
    let words = ["accounts", "checkpoint", "log", "verify", "whoami"]
    #expect(NearMiss.nearest(to: word, among: words) == meant)
  }

  @Test(arguments: ["xyz", "", "lo", "lx"])
  func `what is like nothing, or like two, is not guessed`(_ word: String) {
    #expect(NearMiss.nearest(to: word, among: ["log", "lot", "verify"]) == nil)
  }

  @Test(arguments: [
    ("logn", ["log", "login"]), ("accou", ["account", "accounts"]), ("verfy", ["verify"]),
    ("xyz", []),
  ])
  func `all words that are equally near are likely`(_ word: String, _ meant: [String]) {
    let words = ["account", "accounts", "log", "login", "verify"]
    #expect(NearMiss.likely(word, among: words) == meant)
  }
}
