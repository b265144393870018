internal import GatebookEvents
internal import GatebookSystem
internal import GatebookTestSupport

/// Measures one thing a run and prints it as `name=value` pairs; `tools/bench` runs it in
/// alternation with the C anchors and compares.
@main
struct BenchMain {
  static let usage = """
    usage: GatebookBench make-book PATH EVENTS
           GatebookBench sample-book PATH KEY [END, in seconds since 1970]
           GatebookBench append PATH BATCH EVENTS
           GatebookBench concurrent PATH CALLERS EVENTS
           GatebookBench verify PATH [FROM]
           GatebookBench rebuild PATH
           GatebookBench check PATH
           GatebookBench query PATH [NAME ROUNDS]
           GatebookBench make-sized-book PATH ACCOUNTS EVENTS
           GatebookBench make-accounts-book PATH ACCOUNTS
           GatebookBench make-small-books FOLDER BOOKS EVENTS
           GatebookBench scan PATH
           GatebookBench open PATH ROUNDS
           GatebookBench switch PATH memory|projection|event ROUNDS
           GatebookBench idle PATH [all]
           GatebookBench writer PATH NUMBER EVENTS
           GatebookBench transport URL TOKEN CALLERS REQUESTS
           GatebookBench tokens PATH ACCOUNTS CALLS
           GatebookBench parse BYTES
           GatebookBench fleet URL BOOK ROUNDS

    """

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(GatebookError) {
      switch (arguments.first, arguments.count) {
      case ("make-book", 3):
        try await WholeBook(path: arguments[1]).make(events: number(arguments[2]))
      case ("sample-book", 3): try await SampleBook.make(at: arguments[1], key: arguments[2])
      case ("sample-book", 4):
        let end = Timestamp(rawValue: Int64(number(arguments[3])) * 1_000_000)
        try await SampleBook.make(at: arguments[1], key: arguments[2], end: end)
      case ("append", 4):
        try await AppendBench(
          path: arguments[1], batch: number(arguments[2]), events: number(arguments[3])
        ).run()
      case ("concurrent", 4):
        try await AppendBench(
          path: arguments[1], callers: number(arguments[2]), events: number(arguments[3])
        ).run()
      case ("verify", 2): try await WholeBook(path: arguments[1]).verify()
      case ("verify", 3):
        try await GrowthBench(path: arguments[1], from: Int64(number(arguments[2]))).run()
      case ("rebuild", 2): try WholeBook(path: arguments[1]).rebuild()
      case ("check", 2): try await WholeBook(path: arguments[1]).check()
      case ("query", 2): try await QueryBench(path: arguments[1]).run()
      case ("query", 4):
        try await QueryBench(
          path: arguments[1], only: arguments[2], rounds: Int64(number(arguments[3]))
        ).run()
      case ("make-sized-book", 4):
        try await SizedBook(path: arguments[1], accounts: number(arguments[2]))
          .make(events: number(arguments[3]))
      case ("make-accounts-book", 3):
        try await AccountsBook(path: arguments[1]).make(accounts: number(arguments[2]))
      case ("make-small-books", 4):
        try await SmallBooks(folder: arguments[1])
          .make(number(arguments[2]), events: number(arguments[3]))
      case ("scan", 2): try WholeBook(path: arguments[1]).scan()
      case ("open", 3):
        try await OpenBench(path: arguments[1], rounds: number(arguments[2])).run()
      case ("switch", 4):
        guard let way = SwitchBench.Way(rawValue: arguments[2]) else { fail(usage) }
        try await SwitchBench(path: arguments[1], way: way, rounds: number(arguments[3])).run()
      case ("idle", 2): try await IdleBench(path: arguments[1], keepsAccounts: false).run()
      case ("idle", 3) where arguments[2] == "all":
        try await IdleBench(path: arguments[1], keepsAccounts: true).run()
      case ("writer", 4):
        try await WriterBench(
          path: arguments[1], number: number(arguments[2]), events: number(arguments[3])
        ).run()
      case ("transport", 5):
        guard
          let bench = TransportBench(
            url: arguments[1], token: arguments[2], callers: number(arguments[3]),
            requests: number(arguments[4]))
        else { fail(usage) }
        try await bench.run()
      case ("tokens", 4):
        try await TokenBench(
          path: arguments[1], accounts: number(arguments[2]), calls: number(arguments[3])
        ).run()
      case ("parse", 2): ParseBench(size: number(arguments[1])).run()
      case ("fleet", 4):
        try await FleetBench(url: arguments[1], book: arguments[2], rounds: number(arguments[3]))
          .run()
      default: fail(usage)
      }
    } catch {
      fail("\(error)\n")
    }
  }

  private static func number(_ text: String) -> Int {
    guard let number = Int(text), number > 0 else { fail(usage) }
    return number
  }

  private static func fail(_ text: String) -> Never {
    _ = FileDescriptor.write(text.utf8, to: FileDescriptor.standardError)
    ThisProcess.exit(2)
  }
}
