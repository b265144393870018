internal import Testing

/// The whole life of a session in every mode, each step a process of its own.
struct ModeStoryTests {
  @Test(arguments: StoryMode.allCases)
  func `a session outlives its process and its server, is renewed, used and ended`(
    _ mode: StoryMode
  ) async throws {
    let stage = try StoryStage(mode)
    defer { stage.stop() }
    let scene = stage.scene
    let login = try await stage.logIn()
    try #require(login.exit == 0, "\(login.errors)")
    #expect(login.output.contains(#""state":"active""#))

    stage.stop()
    let restored = try scene.run("restore", "--json")
    #expect(restored.exit == 0, "\(restored.errors)")
    let whoami = try scene.run("whoami", "--json")
    #expect(whoami.exit == 0, "\(whoami.errors)")
    for answer in [restored.output, whoami.output] {
      #expect(answer.contains(#""label":"mine""#))
      #expect(answer.contains(#""state":"offline""#))
    }
    #expect(try stage.request().exit == 4)

    try stage.start()
    let renewal = try scene.run("refresh")
    #expect(renewal.exit == 0, "\(renewal.errors)")
    #expect(renewal.errors == (mode.isRenewable ? "" : "There was nothing to renew.\n"))
    let answer = try stage.request()
    #expect(answer.exit == 0, "\(answer.errors)")
    #expect(answer.output.contains(stage.text), "\(answer.output)")

    let ended = try scene.run("logout", "--json")
    #expect(ended.exit == 0, "\(ended.errors)")
    #expect(ended.output.contains(#""state":"ended""#))
    let kinds = try stage.kinds()
    #expect(kinds == mode.kinds, "\(kinds.joined(separator: " "))")
  }
}
