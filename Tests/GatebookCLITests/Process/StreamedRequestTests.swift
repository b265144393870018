internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Bodies of `request` that are not held in memory.
struct StreamedRequestTests {
  private func stage() throws -> (scene: Scene, server: LoopbackServer) {
    let (scene, server) = (try Scene(), try PlainServer.start())
    let login = try scene.run(
      "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user,
      "--password-stdin", input: PlainServer.password + "\n")
    try #require(login.exit == 0, "\(login.errors)")
    return (scene, server)
  }

  private func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : -1
  }

  @Test func `a large body goes to a file or a pipe`() throws {
    let (scene, server) = try stage()
    defer { server.stop() }
    let file = "\(scene.folder)/large"
    let saved = try scene.run("request", "/private/large", "-o", file)
    #expect(saved.exit == 0, "\(saved.errors)")
    #expect(saved.output.isEmpty)
    #expect(size(file) == PlainServer.large)
    let piped = try scene.run("request", "-i", "/private/large")
    #expect(piped.exit == 0, "\(piped.errors)")
    #expect(piped.output.hasPrefix("HTTP 200\n"))
    let body = piped.output.firstRange(of: "\n\n").map { piped.output[$0.upperBound...] }
    #expect(body?.utf8.count == PlainServer.large)
  }

  @Test func `a download that breaks off leaves nothing under the name`() throws {
    let (scene, server) = try stage()
    defer { server.stop() }
    let file = "\(scene.folder)/broken"
    let broken = try scene.run("request", "/private/broken", "-o", file)
    #expect(broken.exit == 4, "\(broken.errors)")
    #expect(size(file) == -1)
    let files = try #require(opendir(scene.folder))
    defer { closedir(files) }
    while let entry = readdir(files) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      #expect(!name.hasSuffix(".part"))
    }
  }

  @Test func `a reader that goes away ends the download, and is no failure`() throws {
    let (scene, server) = try stage()
    defer { server.stop() }
    let ending = try scene.start(
      ["request", "/private/large"], ChildProcess.Streams(hasNoReader: true)
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.isEmpty)
  }

  @Test func `a body from a pipe is sent in chunks, and one from a file with its size`() throws {
    let (scene, server) = try stage()
    defer { server.stop() }
    let text = String(repeating: "0123456789", count: 200_000)
    let piped = try scene.run("request", "/private/notes", "-d", "@-", input: text)
    #expect(piped.exit == 0, "\(piped.errors)")
    #expect(piped.output == "2000000 bytes in chunks\n")
    let file = "\(scene.folder)/body"
    try TextFile.write(Array(text.utf8), to: file)
    let whole = try scene.run("request", "/private/notes", "-d", "@\(file)")
    #expect(whole.output == "2000000 bytes\n", "\(whole.errors)")
    let form = try scene.run("request", "/private/notes", "-F", "a=1", "-F", "f=@\(file)")
    #expect(form.output.hasPrefix("20002"), "\(form.output) \(form.errors)")
    #expect(form.output.hasSuffix(" bytes\n"))
  }

  @Test func `a refused body from a pipe is not sent again, but the session is renewed`() throws {
    let (scene, server) = (try Scene(), try FakeIdentityServer())
    try server.start()
    defer { server.stop() }
    let login = try scene.run(
      "login", server.url, "--client-id", FakeIdentityServer.clientID, "--flow", "password",
      "--password-stdin", input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    try #require(login.exit == 0, "\(login.errors)")
    server.inject(.answer { _ in .text("No.\n", status: 401) }, on: "/data")
    let text = String(repeating: "0123456789", count: 200_000)
    let piped = try scene.run("request", "/data", "-d", "@-", input: text)
    #expect(piped.exit == 3, "\(piped.errors)")
    #expect(piped.errors.contains("renewed"), "\(piped.errors)")
    #expect(piped.errors.contains("not sent again"), "\(piped.errors)")
    #expect(server.requests.count { $0.path == "/data" } == 1)
  }

  @Test func `a refused body from a pipe is reported as not sent again, also without a renewal`()
    throws
  {
    let (scene, server) = try stage()
    defer { server.stop() }
    let refused = LoopbackReply.text(
      "No.\n", status: 401, fields: ["WWW-Authenticate": "Basic realm=\"private\""])
    server.inject(.answer { _ in refused }, on: "/private/notes", times: nil)
    let text = String(repeating: "0123456789", count: 200_000)
    let piped = try scene.run("request", "/private/notes", "-d", "@-", input: text)
    #expect(piped.exit == 3, "\(piped.errors)")
    #expect(piped.errors.contains("was not sent again"), "\(piped.errors)")
    #expect(!piped.errors.contains("renewed"), "\(piped.errors)")
    #expect(server.requests.count { $0.path == "/private/notes" } == 1)
  }

  @Test func `a short body from a pipe has a length`() throws {
    let (scene, server) = try stage()
    defer { server.stop() }
    let piped = try scene.run("request", "/private/notes", "-d", "@-", input: "text")
    #expect(piped.output == "4 bytes\n", "\(piped.errors)")
  }

  @Test func `with --fail an error page does not replace the file`() throws {
    let (scene, server) = try stage()
    defer { server.stop() }
    let file = "\(scene.folder)/kept"
    try TextFile.write(Array("kept".utf8), to: file)
    let failed = try scene.run("request", "/private/none", "--fail", "-o", file)
    #expect(failed.exit == 1, "\(failed.errors)")
    #expect(failed.errors.contains("as it was"), "\(failed.errors)")
    #expect(try TextFile.read(file, what: "file") == "kept")
    let page = try scene.run("request", "/private/none", "-o", file)
    #expect(page.exit == 0, "\(page.errors)")
    #expect(try TextFile.read(file, what: "file") != "kept")
  }

  @Test func `a file is written also if nobody reads the header fields`() throws {
    let (scene, server) = try stage()
    defer { server.stop() }
    let file = "\(scene.folder)/large"
    let ending = try scene.start(
      ["request", "/private/large", "-i", "-o", file], ChildProcess.Streams(hasNoReader: true)
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(size(file) == PlainServer.large)
  }

  @Test func `the line about a download fits any terminal`() {
    #expect(
      DownloadMeter.text(5 << 20, of: 10 << 20, after: .seconds(2))
        == "\(String(repeating: "█", count: 15))\(String(repeating: " ", count: 15)) "
        + "50 % of 10 MiB, 2.5 MiB/s")
    #expect(DownloadMeter.text(500, of: nil, after: .seconds(1)) == "500 bytes, 500 bytes/s")
    for (count, total) in [(Int.max, Int.max), (1, Int.max), (Int.max, 1), (0, 0)] {
      #expect(DownloadMeter.text(count, of: total, after: .zero).count < 80)
    }
  }
}
