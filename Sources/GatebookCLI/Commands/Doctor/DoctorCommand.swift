/// `gatebook doctor`.
struct DoctorCommand: Command {
  static let help = Help(
    "doctor", "Examine the book and what it needs around it.", in: .care,
    exits: [.done, .failed, .usage], example: "gatebook doctor --json", isAudit: true,
    account: .wholeBook)

  func run(_ call: Call) async throws -> ExitCode {
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

  @MainActor private func show(_ finding: Finding, _ output: Output) {
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
