internal import GatebookSystem

/// Where a program that is run finds its token.
enum TokenPlace: Hashable, Sendable {
  /// In a variable of its environment.
  case variable(String)
  /// In a file whose path is in a variable of its environment.
  case file(variable: String)
  /// In a descriptor.
  case descriptor(Int32)

  private static let variableOption = CommandOption.value(
    "--env", "NAME", "puts the token into this environment variable; it is not renewed there")
  private static let fileOption = CommandOption.value(
    "--file", "NAME",
    "puts the token into a file, and the file's path into this environment variable")
  private static let descriptorOption = CommandOption.value(
    "--fd", "N", "lets the program read the token from this descriptor, 3 or more")

  /// The options, of which one is given.
  static let options = [fileOption, descriptorOption, variableOption]

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - taken: The descriptors that the program inherits.
  /// - Throws: `UsageError` unless exactly one is given, and for a name or a number that cannot be
  ///   used.
  init(_ arguments: Arguments, taken: Set<Int32>) throws(UsageError) {
    switch try arguments.only(of: Self.options) {
    case Self.variableOption: self = .variable(try Self.name(Self.variableOption, arguments))
    case Self.fileOption: self = .file(variable: try Self.name(Self.fileOption, arguments))
    case Self.descriptorOption: self = .descriptor(try Self.number(arguments, taken))
    default:
      throw UsageError(
        "Nothing says how the program gets the token.",
        remedy: "Add `--file NAME`, `--fd N` or `--env NAME`. See `gatebook help exec`.")
    }
  }

  private static func name(
    _ option: CommandOption, _ arguments: Arguments
  ) throws(UsageError) -> String {
    let name = try arguments.required(option)
    guard !name.isEmpty, !name.contains("=") else {
      throw UsageError(
        "`\(option.name)` needs the name of an environment variable.",
        remedy: "Write `\(option.usage)` with a name that is not empty and has no `=`.")
    }
    // The loader would print the token in its complaint, and the program would not be found.
    guard name != "PATH", !name.hasPrefix("LD_") else {
      throw UsageError(
        "The system needs the variable of `\(option.name)` to start the program.",
        remedy: "Choose another name.")
    }
    return name
  }

  private static func number(
    _ arguments: Arguments, _ taken: Set<Int32>
  ) throws(UsageError) -> Int32 {
    let last = Int64(FileDescriptor.limit) - 1
    guard let number = try arguments.integer(descriptorOption, in: 3...max(3, last)) else {
      return 3
    }
    guard !taken.contains(Int32(number)) else {
      throw UsageError(
        "The descriptor of `--fd` is open already.",
        remedy: "Choose another number, or close it with `\(number)>&-` at the end of the line.")
    }
    return Int32(number)
  }
}
