internal import Foundation
internal import Testing

/// The real `pip` and `uv` at a real index, with `gatebook` as the `keyring` that they call.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct PythonPackageTests {
  private let gatebook: GatebookTool
  private let forge: ForgeServer

  init() throws {
    gatebook = try GatebookTool()
    forge = try .own()
    try gatebook.installForPrograms()
  }

  enum Installer: String, CaseIterable { case pip, uv }

  @Test(arguments: Installer.allCases, [String?.none, "alice"])
  func `a package comes from an index that asks for a password`(
    _ installer: Installer, _ user: String?
  )
    throws
  {
    let refused = try install(by: installer, as: user)
    #expect(refused.status != 0)
    #expect(!FileManager.default.fileExists(atPath: module))
    _ = try gatebook.object(forge.login(.alice, at: "/simple/"), answers: [Person.alice.password])
    let before = try gatebook.kinds().count
    let result = try install(by: installer, as: user)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try String(contentsOfFile: module, encoding: .utf8) == "TEXT = \"installed\"\n")
    #expect(try forge.requests(with: "/files/").contains { $0.hasPrefix("alice ") })
    #expect(try gatebook.kinds(after: before).isEmpty)
    #expect(try gatebook.files(holding: [Person.alice.password]).isEmpty)
  }

  @Test(arguments: Installer.allCases)
  func `another user of the same index gets nothing`(_ installer: Installer) throws {
    _ = try gatebook.object(forge.login(.alice, at: "/simple/"), answers: [Person.alice.password])
    let sent = try forge.requests(with: "/simple/").count
    #expect(try install(by: installer, as: "bob").status != 0)
    let after = try forge.requests(with: "/simple/").dropFirst(sent)
    #expect(!after.contains { $0.hasPrefix("alice ") || $0.hasSuffix(" 200") })
  }

  private var module: String { gatebook.home + "/packages/gatebook_sample.py" }

  private func install(by installer: Installer, as user: String?) throws -> ChildProcess {
    let python = try gatebook.serversPython()
    let place = ["--target", gatebook.home + "/packages", "--keyring-provider", "subprocess"]
    let index = forge.index(of: user)
    switch installer {
    case .pip:
      return try gatebook.runProgram(
        python,
        ["-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-input"]
          + ["--no-cache-dir", "--index-url", index] + place + ["gatebook-sample"])
    case .uv:
      // Without a user's name in the URL, uv asks its keyring only of an index that says so.
      let settings = """
        [[index]]
        url = "\(index)"
        default = true
        authenticate = "always"

        """
      let file = gatebook.home + "/uv.toml"
      try settings.write(toFile: file, atomically: true, encoding: .utf8)
      return try gatebook.runProgram(
        python.replacing("/python", with: "/uv"),
        ["pip", "install", "--config-file", file, "--no-cache", "--python", python] + place
          + ["gatebook-sample"])
    }
  }
}
