internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// What `request` takes besides an address: paths, bodies of other types, and where the answer
/// goes.
struct RequestOptionTests {
  @Test func `a path is one of the account's server`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    let whole = try scene.run("request", scene.portal.url + "/documents/1")
    let path = try scene.run("request", "/documents/1")
    #expect(path.exit == 0, "\(path.errors)")
    #expect(path.output == whole.output)
    #expect(try scene.run("request", "documents/1").exit == 2)
    #expect(try scene.run("request", "//other.example/x").exit != 0)
  }

  @Test func `-o writes the body beside its place, and a refused request leaves the file`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    let whole = try scene.run("request", "/documents/1").output
    let file = "\(scene.folder)/answer"
    let written = try scene.run("request", "/documents/1", "-o", file)
    #expect(written.exit == 0, "\(written.errors)")
    #expect(written.output.isEmpty)
    #expect(try TextFile.read(file, what: "answer") == whole)
    let foreign = try scene.run("request", "https://other.example/", "-o", file)
    #expect(foreign.exit == 8)
    #expect(try TextFile.read(file, what: "answer") == whole)
    scene.portal.stop()
    #expect(try scene.run("request", "/documents/1", "-o", file).exit == 4)
    #expect(try TextFile.read(file, what: "answer") == whole)
    #expect(try scene.run("request", "/documents/1", "-o", "\(scene.folder)/none/x").exit == 1)
  }

  @Test func `header fields are shown, and never a secret`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    let fields = try scene.run("request", "-i", "/documents/1")
    #expect(fields.output.hasPrefix("HTTP 200\n"), "\(fields.output)")
    #expect(fields.output.lowercased().contains("\ncontent-type: "), "\(fields.output)")
    let head = try scene.run("request", "-I", "/documents/1")
    #expect(head.exit == 0, "\(head.errors)")
    #expect(try #require(scene.portal.requests(to: .documents).last).request.method == "HEAD")
    let traced = try scene.run("request", "-v", "-H", "X-Own: mine", "/documents/1")
    #expect(traced.errors.contains("> GET \(scene.portal.url)/documents/1"), "\(traced.errors)")
    #expect(traced.errors.contains("> X-Own: mine"), "\(traced.errors)")
    #expect(traced.errors.contains("> Cookie: (masked)"), "\(traced.errors)")
    #expect(traced.errors.contains("< 200"), "\(traced.errors)")
    #expect(traced.output == (try scene.run("request", "/documents/1").output))
  }

  @Test(arguments: [
    ["--json", #"{"a":1}"#], ["--json", "[1]"], [#"--json={"a":1}"#], ["--json-body", "1"],
  ])
  func `--json with a body sends JSON`(_ options: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    let sent = try scene.start(["request"] + options + ["/documents/1"]).end()
    #expect(sent.exit == 0, "\(sent.errors)")
    let request = try #require(scene.portal.requests(to: .documents).last).request
    #expect(request.method == "POST")
    #expect(request.fields["Content-Type"] == "application/json")
  }

  @Test func `--json without one is for errors, as everywhere`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    let refused = try scene.run("request", "--json", "https://other.example/")
    #expect(refused.exit == 8)
    #expect(refused.errors.hasPrefix(#"{"error":"#), "\(refused.errors)")
  }

  @Test func `a form is made of fields and files`() throws {
    let scene = try Scene()
    let file = "\(scene.folder)/note\".txt"
    try TextFile.write(Array("one\r\n--two".utf8), to: file)
    let form = try MultipartForm(["a=1=2", "f=@\(file)"], boundary: "B")
    #expect(form.field == HTTPField("Content-Type", "multipart/form-data; boundary=B"))
    let text = form.parts.map { part in
      switch part {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file(let path): path == file ? "(file)" : path
      case .descriptor: "?"
      }
    }.joined()
    #expect(
      text
        == "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1=2\r\n"
        + "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"note%22.txt\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n(file)\r\n--B--\r\n")
    #expect(throws: UsageError.self) { try MultipartForm(["=x"], boundary: "B") }
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    #expect(try scene.run("request", "-F", "a=1", "/documents/1").exit == 0)
    #expect(try scene.run("request", "-F", "a=1", "-d", "x", "/documents/1").exit == 2)
  }
}
