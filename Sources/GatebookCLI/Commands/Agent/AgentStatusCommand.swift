internal import Gatebook

/// `gatebook agent status`.
struct AgentStatusCommand: Command {
  static let help = Help(
    "agent status", "Show what the agent is, and what it has answered.", in: .use,
    options: [AgentPlace.option], exitNotes: [(.failed, "also: no agent serves")],
    examples: ["gatebook agent status", "gatebook agent status --json"])

  func run(_ call: Call) async throws -> ExitCode {
    let path = try AgentPlace.path(call)
    let facts = try AgentRequest(call, path).send("GET", "/v1/status")
    guard !call.output.tells(programs: [JSON(facts)]) else { return .done }
    let number = { (name: String) in facts[name]?.integer ?? 0 }
    let text = { (name: String) in Printable.text(facts[name]?.text ?? "") }
    let isLocked = facts["locked"]?.bool == true
    var lines = [
      "Agent \(text("version")), process \(number("process")), at \(Printable.text(path))",
      "Book: \(text("book"))",
      (isLocked ? "Locked" : "Unlocked")
        + (Self.time(facts["since"], call).map { " since \($0)" } ?? ""),
    ]
    if let reason = facts["reason"]?.text { lines.append(Printable.text(reason)) }
    if isLocked { lines.append("`gatebook agent unlock` unlocks it.") }
    lines.append(
      "Requests forwarded: \(number("requests")); refused: \(number("refused")); accounts renewed: "
        + "\(number("renewed")); messages waiting for servers: \(number("waiting"))")
    call.output.lines(lines)
    let programs = facts["programs"]?.list?.compactMap(\.object) ?? []
    guard !programs.isEmpty else { return .done }
    var table = TextTable([
      .number("ANSWERS"), .number("LAST PROCESS"), "PROGRAM",
    ])
    for program in programs {
      table.add([
        "\(program["answers"]?.integer ?? 0)", "\(program["process"]?.integer ?? 0)",
        "\(program["program"]?.text ?? "")",
      ])
    }
    call.output.line("")
    call.output.table(table)
    return .done
  }

  @MainActor private static func time(_ value: FactValue?, _ call: Call) -> String? {
    let time = (value?.text).flatMap { try? call.timeReader.moment($0) }
    return time.map { call.output.times.text($0) }
  }
}
