internal import Gatebook

/// `gatebook fleet demo`.
struct FleetDemoCommand: Command {
  static let help = Help(
    "fleet demo", "See a fleet work, with servers that are thrown away.", in: .fleet,
    details: [
      "Three PostgreSQL servers and the servers of `gatebook demo` start on 127.0.0.1. Six machines ship "
        + "their books, the fleet is asked and verified, a row is changed by hand, and a server stops. "
        + "Nothing leaves the machine, and nothing remains afterwards, also after Ctrl-C.",
      "It needs the programs of PostgreSQL 15 or newer, and starts servers of its own: it uses no "
        + "database that is there. Their files are in TMPDIR, otherwise in /dev/shm or /tmp.",
      "Each line after a `$` runs in a shell as it is shown.",
    ],
    examples: ["gatebook fleet demo"])

  func run(_ call: Call) async throws -> ExitCode {
    let stage = DemoStage(call.output)
    do {
      try FleetDemoStory.tell(on: stage, in: call.surroundings)
    } catch is CancellationError {
      throw DemoStage.cancelled
    }
    stage.note("The servers, the books and their keys are gone. Try next:")
    stage.show([
      "gatebook help fleet init    make a database of yours a fleet",
      "gatebook help ship          send the events of your book",
      "gatebook help fleet         see all commands that ask a fleet",
    ])
    return stage.failures == 0 ? .done : .failed
  }
}
