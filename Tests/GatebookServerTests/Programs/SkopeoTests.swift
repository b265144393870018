internal import Foundation
internal import Testing

/// The real `skopeo` at a real registry, with `docker-credential-gatebook` as its helper.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct SkopeoTests {
  private let gatebook: GatebookTool
  private let registry: ImageRegistry

  init() throws {
    gatebook = try GatebookTool()
    registry = try .own()
    try gatebook.installForPrograms()
    let settings = "{\"credHelpers\":{\"\(registry.host)\":\"gatebook\"}}\n"
    try FileManager.default.createDirectory(
      atPath: gatebook.home + "/.docker", withIntermediateDirectories: true)
    try settings.write(
      toFile: gatebook.home + "/.docker/config.json", atomically: true, encoding: .utf8)
  }

  @Test func `an image is pushed, inspected and listed`() throws {
    #expect(try skopeo(["list-tags", image, "--tls-verify=false"]).status != 0)
    _ = try gatebook.object(registry.login(.alice), answers: [Person.alice.password])
    let before = try gatebook.kinds().count
    try require(["copy", registry.image, image + ":one", "--dest-tls-verify=false"])
    let about = try JSONObject(
      require(["inspect", image + ":one", "--tls-verify=false"]))
    #expect(about["Name"]?.text == registry.host + "/sample")
    #expect(about["RepoTags"]?.texts == ["one"])
    let tags = try JSONObject(require(["list-tags", image, "--tls-verify=false"]))
    #expect(tags["Tags"]?.texts == ["one"])
    #expect(try gatebook.kinds(after: before).isEmpty)
    #expect(try gatebook.files(holding: [Person.alice.password]).isEmpty)
  }

  @Test func `the list names the server and its user, and no secret`() throws {
    _ = try gatebook.object(registry.login(.alice), answers: [Person.alice.password])
    let list = try JSONObject(gatebook.require("docker-credential-gatebook", ["list"]))
    #expect(list[registry.host]?.text == "alice")
  }

  @Test func `a login by skopeo is recorded, and what a logout asks for keeps the session`() throws
  {
    _ = try gatebook.object(registry.login(.alice), answers: [Person.alice.password])
    let before = try gatebook.kinds().count
    // Without it skopeo writes a file of the user's own elsewhere.
    let file = ["--authfile", gatebook.home + "/.docker/config.json"]
    let login = ["login", "--tls-verify=false", "-u", "alice", "--password-stdin", registry.host]
    try gatebook.require("skopeo", login + file, input: Person.alice.password)
    #expect(try gatebook.kinds(after: before) == ["credential.accepted"])
    try gatebook.require("skopeo", ["logout", registry.host] + file)
    #expect(
      try gatebook.kinds(after: before).prefix(2) == ["credential.accepted", "credential.rejected"])
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    try require(["copy", registry.image, image + ":one", "--dest-tls-verify=false"])
  }

  private var image: String { "docker://\(registry.host)/sample" }

  private func skopeo(_ words: [String]) throws -> ChildProcess {
    try gatebook.runProgram("skopeo", ["--insecure-policy"] + words)
  }

  @discardableResult private func require(_ words: [String]) throws -> String {
    try gatebook.require("skopeo", ["--insecure-policy"] + words)
  }
}
