"""One constant under several values, over corpora of several shapes."""
