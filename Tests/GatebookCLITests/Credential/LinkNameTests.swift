internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

/// The names of links, and which user names mean a token.
struct LinkNameTests {
  @Test(
    arguments: [
      ("git-credential-gatebook", ["credential", "git"]),
      ("/usr/bin/docker-credential-gatebook", ["credential", "docker"]),
      ("./keyring", ["credential", "keyring"]), ("gatebook", []), ("/keyring/gatebook", []),
      ("keyring2", []), ("my-keyring", []), ("Keyring", []), ("keyring/", []), ("", []), (nil, []),
    ] as [(String?, [String])])
  func `a link's name stands for a command only as a whole`(_ path: String?, _ words: [String]) {
    #expect(ProgramName.words(path) == words)
  }

  @Test func `a token's user is the one that is asked for, given, or usual`() {
    var arguments = Arguments()
    #expect(TokenUser(arguments).name(for: nil) == "oauth2")
    #expect(TokenUser(arguments).name(for: "ada") == "oauth2")
    #expect(TokenUser(arguments).name(for: "x-access-token") == "x-access-token")
    #expect(!TokenUser(arguments).means("ada"))
    arguments.add("robot", to: TokenUser.option)
    #expect(TokenUser(arguments).name(for: nil) == "robot")
    #expect(TokenUser(arguments).name(for: "oauth2") == "oauth2")
    #expect(TokenUser(arguments).means("robot"))
  }
}
