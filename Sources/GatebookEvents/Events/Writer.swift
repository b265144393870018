/// The process that wrote an event.
public struct Writer: Hashable, Sendable {
  /// The program it ran.
  public let program: Program
  /// Its process id.
  public let process: Int64

  /// Makes a writer.
  package init(program: Program, process: Int64) {
    self.program = program
    self.process = process
  }
}
