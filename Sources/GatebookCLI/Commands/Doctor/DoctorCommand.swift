internal import Gatebook

/// `gatebook doctor`.
struct DoctorCommand: Command {
  private static let offline = CommandOption.flag("--offline", "do not contact servers")

  static let help = Help(
    "doctor", "Check the book, its key, and everything around it.", in: .care,
    details: [
      "It checks the programs that Gatebook needs, the folder, disk, files and locks, the clock, the "
        + "whole book and its key. It looks for erased keys that are not wiped yet, also in backups. It "
        + "sends each account's server one request without credentials. It changes nothing, and says what "
        + "to do about each problem.",
      "It examines the whole book, also with --account.",
    ],
    options: [offline],
    exitNotes: [(.failed, "something is wrong")],
    examples: ["gatebook doctor --json", "gatebook doctor"], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    // A book that cannot be read is what doctor is for; an account that is not in it is a slip.
    if call.globals.account != nil, let reader = try? call.reader(),
      (try? reader.accounts()) != nil
    {
      _ = try call.namedAccount(reader)
    }
    let findings = await Examination(
      call: call, asksServers: !call.arguments.has(Self.offline)
    ).findings()
    call.progress.finish()
    // What was not looked at must not be told as bad.
    guard !Task.isCancelled else { throw GatebookError.readingGivenUp }
    if !call.output.tells(programs: findings.map(\.json)) {
      for finding in findings { show(finding, call.output) }
    }
    return findings.contains { $0.grade == .bad } ? .failed : .done
  }

  @MainActor private func show(_ finding: Observation, _ output: Output) {
    let (mark, paint): (String, Paint) =
      switch finding.grade {
      case .good: ("ok  ", .good)
      case .note: ("note", .warning)
      case .bad: ("bad ", .bad)
      }
    output.line(
      "\(output.painted(mark, paint))  \(Printable.text("\(finding.subject): \(finding.text)"))")
    if let remedy = finding.remedy { output.line("      " + Printable.text(remedy)) }
  }
}
