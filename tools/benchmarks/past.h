// Reads what a question about the past of an account needs, and prints how long that takes.
#pragma once

// One snapshot, and the events of the stream from there to the position that is asked for; nothing is
// folded.
void read_past(const char *path, long rounds);
