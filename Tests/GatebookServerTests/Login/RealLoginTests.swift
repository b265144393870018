internal import Testing

@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct RealLoginTests {
  private let gatebook: GatebookTool
  private let apache: ApacheServer

  init() throws {
    gatebook = try GatebookTool()
    apache = try .shared()
  }

  @Test(arguments: ServerLogin.each + ServerLogin.awkward)
  func `a login lets requests in`(_ login: ServerLogin) throws {
    let account = try gatebook.object(login.command(apache), answers: [login.password])
    #expect(account["state"]?.text == "active")
    #expect(account["user"]?.text == login.user)
    #expect(account["current"]?.bool == true)
    let reply = try gatebook.run(["request", login.url(apache)])
    #expect(reply.status == 0, "\(reply.errors)")
    #expect(reply.output == login.secret)
  }

  @Test(arguments: ServerLogin.each)
  func `a wrong password leaves nothing but its event`(_ login: ServerLogin) throws {
    let (status, error) = try gatebook.failure(login.command(apache), answers: ["not-it"])
    #expect(status == 3)
    #expect(error["code"]?.text == "credentials.refused")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
    #expect(try gatebook.lines(["log"]).last?["kind"]?.text == "login.failed")
    #expect(try gatebook.failure(["whoami"]).0 == 3)
  }

  @Test(arguments: ServerLogin.each)
  func `a check URL that anyone may read proves nothing`(_ login: ServerLogin) throws {
    let (status, error) = try gatebook.failure(
      login.command(apache, check: "/public/"), answers: [login.password])
    #expect(status == 3)
    #expect(error["code"]?.text == "login.unprovable")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
  }

  @Test(arguments: ServerLogin.each)
  func `a wrong password keeps the session that was there`(_ login: ServerLogin) throws {
    let before = try gatebook.object(login.command(apache), answers: [login.password])
    #expect(try gatebook.failure(login.command(apache), answers: ["not-it"]).0 == 3)
    let after = try gatebook.object(["whoami"])
    #expect(after["id"]?.text == before["id"]?.text)
    #expect(after["state"]?.text == "active")
    #expect(try gatebook.run(["request", login.url(apache)]).output == login.secret)
  }

  @Test func `another origin gets no request`() throws {
    _ = try gatebook.object(
      ServerLogin.basic.command(apache), answers: [ServerLogin.basic.password])
    let (status, error) = try gatebook.failure(["request", "http://127.0.0.1:9/basic/"])
    #expect(status == 8)
    #expect(error["code"]?.text == "origin.foreign")
  }
}
