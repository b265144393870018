internal import GatebookEvents
internal import Glibc

/// A program that the tests let write, read, hold a lock, fork and die.
@main struct CrashingWriter {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(GatebookError) {
      switch (arguments.first, arguments.count) {
      case ("append", 4...): try await AppendMode(arguments).run()
      case ("erase", 5), ("backup", 6): try await CareMode(arguments).run()
      case ("archive", 4...): try await ArchiveMode(arguments).run()
      case ("read", 2): try await ReadMode.run(arguments[1])
      case ("fork", 3): try await ForkMode.run(book: arguments[1], key: arguments[2])
      default:
        Output.line("usage: CrashingWriter append|erase|backup|archive|read|fork BOOK ...")
        exit(2)
      }
    } catch {
      Output.line("error \(error.code)")
      exit(1)
    }
  }
}
