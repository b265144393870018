internal import Gatebook

/// `gatebook doctor`.
struct DoctorCommand: Command {
  static let help = Help(
    "doctor", "Examine the book and what it needs around it.", in: .care,
    details: ["It examines the whole book, also with --account."],
    exits: [.done, .failed, .usage], example: "gatebook doctor --json", isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    // A book that cannot be read is what doctor is for; an account that is not in it is a slip.
    if call.globals.account != nil, let reader = try? call.reader(),
      (try? reader.accounts()) != nil
    {
      _ = try call.namedAccount(reader)
    }
    let findings = await Examination(call).findings()
    for finding in findings {
      if call.output.isJSON {
        call.output.json(finding.json)
      } else {
        show(finding, call.output)
      }
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
